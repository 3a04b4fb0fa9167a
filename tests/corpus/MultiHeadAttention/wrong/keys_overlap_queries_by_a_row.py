# wrong: keys and queries are cut from one tensor with one row in common
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.w = nn.Parameter(torch.randn(3 * d, d) * 0.1)
        self.o = nn.Linear(d, d)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        parts = self.w[:d], self.w[d - 1 : 2 * d - 1], self.w[2 * d :]
        q, k, v = ((x @ w.T).view(b, t, self.h, -1).transpose(1, 2) for w in parts)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
