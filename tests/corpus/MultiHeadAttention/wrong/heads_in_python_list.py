# wrong: heads held in a plain Python list
# named: not_registered
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, e, d):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(e, d), nn.Linear(e, d), nn.Linear(e, d)

    def forward(self, x, mask):
        s = self.q(x) @ self.k(x).transpose(1, 2) / self.q.out_features**0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, float("-inf"))
        return s.softmax(-1) @ self.v(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.heads = [Head(d, d // n) for _ in range(n)]
        self.out = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        return self.out(torch.cat([h(hidden_state, mask) for h in self.heads], dim=-1))
