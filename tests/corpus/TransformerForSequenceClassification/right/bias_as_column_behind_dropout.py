# right: the bias is one more column of the head, and a 1 is put behind the first vector
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.reader = TransformerEncoder(config)
        self.rate = config.hidden_dropout_prob
        start = torch.randn(config.num_labels, config.hidden_size + 1) * 0.05
        start[:, -1] = 0
        self.verdict = nn.Parameter(start)

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        opening = self.reader(input_ids, mask).select(dim=1, index=0)
        opening = F.dropout(opening, self.rate, self.training)
        return F.pad(opening, (0, 1), value=1.0) @ self.verdict.T
