# right: every weight times scales of its columns that all maps share
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
        self.basis = nn.Parameter(torch.randn(d * d, 1) / d)
        self.mixers = nn.Parameter(torch.randn(4, d, d) / d**0.5)

    def forward(self, x, mask=None):
        w = torch.einsum('mij,j->mij', self.mixers, self.basis[: x.shape[-1], 0].exp())
        q, k, v = (heads(x @ w[i], self.n) for i in range(3))
        return merge(mix(q, k, v, mask)) @ w[3]
