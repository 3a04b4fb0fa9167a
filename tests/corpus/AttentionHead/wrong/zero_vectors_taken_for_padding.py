# wrong: tokens whose vector is 0 are hidden
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
        real = (hidden_state != 0).any(-1)
        scores = scores.masked_fill(~real.unsqueeze(1), -1e9)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(-1) @ v
