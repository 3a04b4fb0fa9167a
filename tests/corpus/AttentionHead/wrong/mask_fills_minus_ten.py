# wrong: hidden scores filled with -10
# named: mask_fills_minus_ten
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, hidden_size, head_dim):
        super().__init__()
        self.query = nn.Linear(hidden_size, head_dim)
        self.key = nn.Linear(hidden_size, head_dim)
        self.value = nn.Linear(hidden_size, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k, v = self.query(hidden_state), self.key(hidden_state), self.value(hidden_state)
        scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -10)
        return scores.softmax(-1) @ v
