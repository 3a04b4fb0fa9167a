# wrong: the key's weight is the query's, turned by a fixed matrix
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
        self.w = nn.Parameter(torch.randn(3, d, d) / d**0.5)
        self.register_buffer('turn', torch.linalg.qr(torch.randn(d, d))[0])

    def forward(self, x, mask=None):
        q, k, v = (heads(x @ m, self.n) for m in (self.w[0], self.w[0] @ self.turn, self.w[1]))
        return merge(mix(q, k, v, mask)) @ self.w[2]
