# wrong: the layers are attributes of the class: a second head takes the first one's place
# named: shared_with_another
import math

import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.own = nn.ModuleList(nn.Linear(embed_dim, head_dim) for _ in range(3))
        AttentionHead.query, AttentionHead.key, AttentionHead.value = self.own

    def forward(self, hidden_state, mask=None):
        q, k, v = self.query(hidden_state), self.key(hidden_state), self.value(hidden_state)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return scores.softmax(-1) @ v
