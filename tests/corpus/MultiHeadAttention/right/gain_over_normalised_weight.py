# right: a learned gain for each map, over its normalised weight
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
        self.w = nn.ParameterList(nn.Parameter(torch.randn(d, d) / d**0.5) for _ in range(4))
        self.gain = nn.Parameter(torch.ones(4))

    def forward(self, x, mask=None):
        w = [g * m / m.norm() * m.shape[0] ** 0.5 for g, m in zip(self.gain, self.w)]
        q, k, v = (heads(x @ m, self.n) for m in w[:3])
        return merge(mix(q, k, v, mask)) @ w[3]
