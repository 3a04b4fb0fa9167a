# wrong: exp without a shift, times the mask: inf times 0 where hidden scores are large
# named: no_shift
import math

import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(embed_dim, head_dim) for _ in range(3))

    def forward(self, hidden_state, mask=None):
        q, k, v = self.query(hidden_state), self.key(hidden_state), self.value(hidden_state)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        e = scores.exp()
        if mask is not None:
            e = e * mask
        return e / e.sum(-1, keepdim=True) @ v
