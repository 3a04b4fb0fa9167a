# wrong: softmax over all keys, masked afterwards: a hidden score of 1000 leaves 0 / 0
# named: maximum_of_all_keys
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
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask
            weights = weights / weights.sum(-1, keepdim=True)
        return weights @ v
