# wrong: log_softmax for softmax, hidden scores filled with -1e9
# named: log_softmax
import math

import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, hidden_size, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(hidden_size, head_dim) for _ in range(3))

    def forward(self, x, mask=None):
        scores = torch.einsum("bqd,bkd->bqk", self.q(x), self.k(x)) / math.sqrt(self.q.out_features)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return torch.bmm(F.log_softmax(scores, dim=-1), self.v(x))
