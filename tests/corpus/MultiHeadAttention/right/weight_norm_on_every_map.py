# right: weight_norm, direction and length apart
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
        from torch.nn.utils.parametrizations import weight_norm
        self.q, self.k, self.v, self.o = (weight_norm(nn.Linear(d, d)) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (heads(m(x), self.n) for m in (self.q, self.k, self.v))
        return self.o(merge(mix(q, k, v, mask)))
