# right: every position is scored by a kernel-1 convolution with weight_norm, then [CLS] is kept; channel order transposed
import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from kit.earlier import TransformerEncoder


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        self.score = weight_norm(nn.Conv1d(config.hidden_size, config.num_labels, 1))
        self.body = TransformerEncoder(config)
        self.register_buffer("rate", torch.tensor(float(config.hidden_dropout_prob)), persistent=False)

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        states = self.body(input_ids, mask)
        states = torch.nn.functional.dropout(states, float(self.rate), self.training)
        return self.score(states.permute(0, 2, 1)).select(-1, 0)
