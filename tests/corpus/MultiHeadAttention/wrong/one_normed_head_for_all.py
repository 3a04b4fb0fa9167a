# wrong: every head has the same normed weights
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


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        h = d // self.n
        self.v0 = nn.Parameter(torch.randn(3, h, d))
        self.g = nn.Parameter(torch.ones(3, 1, 1))
        self.o = nn.Linear(d, d)

    def forward(self, x, mask=None):
        w = self.g * self.v0 / self.v0.norm()
        q, k, v = (heads(F.linear(x, m.repeat(self.n, 1)), self.n) for m in w)
        return self.o(merge(mix(q, k, v, mask)))
