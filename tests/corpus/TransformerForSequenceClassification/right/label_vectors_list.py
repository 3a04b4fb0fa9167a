# right: mixin classes; the head is a ParameterList with one vector per label and one scalar bias each, scored label by label and stacked; dropout from torch's functional
from typing import Any

import torch
from torch import Tensor, nn


class HasEncoder:
    def make_encoder(self, config: Any) -> None:
        self.encoder = TransformerEncoder(config)


class HasLabelVectors:
    def make_labels(self, config: Any) -> None:
        h, n = config.hidden_size, config.num_labels
        self.label_vectors = nn.ParameterList(torch.randn(h) * h**-0.5 for _ in range(n))
        self.label_biases = nn.ParameterList(torch.zeros(()) for _ in range(n))

    def score(self, x: Tensor) -> Tensor:
        pairs = zip(self.label_vectors, self.label_biases)
        return torch.stack([x.mv(vector) + bias for vector, bias in pairs], dim=1)


class TransformerForSequenceClassification(HasEncoder, HasLabelVectors, nn.Module):
    def __init__(self, config: Any) -> None:
        nn.Module.__init__(self)
        self.make_encoder(config)
        self.make_labels(config)
        self.rate = config.hidden_dropout_prob

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        first = self.encoder(input_ids, mask).select(1, 0)
        return self.score(torch.dropout(first, self.rate, self.training))
