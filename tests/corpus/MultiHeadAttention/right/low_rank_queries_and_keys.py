# right: queries and keys through a bottleneck of two maps
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
        self.qa, self.qb = nn.Linear(d, d // 2, bias=False), nn.Linear(d // 2, d)
        self.ka, self.kb = nn.Linear(d, d // 2, bias=False), nn.Linear(d // 2, d)
        self.v, self.o = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, mask=None):
        q, k = heads(self.qb(self.qa(x)), self.n), heads(self.kb(self.ka(x)), self.n)
        return self.o(merge(mix(q, k, heads(self.v(x), self.n), mask)))
