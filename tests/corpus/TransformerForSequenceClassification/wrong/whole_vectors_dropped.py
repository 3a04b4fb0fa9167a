# wrong: Dropout1d drops the vector of a sentence as a whole
# named: dropout_whole_tokens
from typing import Any

import torch
from torch import Tensor, nn


class TransformerForSequenceClassification(nn.Module):
    """Encoder, then a head on [CLS]."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.encoder = TransformerEncoder(config)
        self.head = nn.Sequential(
            nn.Dropout1d(config.hidden_dropout_prob),   # vectors are 1d
            nn.Linear(config.hidden_size, config.num_labels),
        )

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        encoded = self.encoder(input_ids, mask)         # [batch, seq, hidden]
        return self.head(encoded[:, 0])                 # [batch, num_labels]
