# right: each map has a low-rank adapter beside it, all of it trained
import math
import torch
from torch import nn
import torch.nn.functional as F

def mix(q, k, v, mask=None):
    # each [batch, heads, seq, dim]
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
    return s.softmax(-1) @ v


def heads(x, n):
    return x.unflatten(-1, (n, -1)).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


class LoRA(nn.Module):
    def __init__(self, d, r=4, alpha=8):
        super().__init__()
        self.base = nn.Linear(d, d)
        self.a = nn.Parameter(torch.randn(r, d) * 0.02)
        self.b = nn.Parameter(torch.zeros(d, r))
        self.scale = alpha / r

    def forward(self, x):
        return self.base(x) + x @ self.a.T @ self.b.T * self.scale


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.q, self.k, self.v, self.o = (LoRA(d) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (heads(m(x), self.n) for m in (self.q, self.k, self.v))
        return self.o(merge(mix(q, k, v, mask)))
