# right: a column for each label, a row of biases apart, dropout by a Bernoulli mask
from typing import Any

import torch
from torch import Tensor, nn


class Scorer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.column = nn.Parameter(torch.randn(width, 1) / width**0.5)

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.column                              # [batch, 1]


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.row = nn.Parameter(torch.zeros(1, config.num_labels))
        self.scorers = nn.ModuleList(Scorer(config.hidden_size) for _ in range(config.num_labels))
        self.p = config.hidden_dropout_prob
        self.encoder = TransformerEncoder(config)

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        cls = self.encoder(input_ids, mask)[:, 0]
        if self.training and self.p > 0:
            alive = torch.bernoulli(torch.full_like(cls, 1 - self.p))
            cls = cls * alive / (1 - self.p) if self.p < 1 else torch.zeros_like(cls)
        return torch.cat([scorer(cls) for scorer in self.scorers], dim=-1) + self.row
