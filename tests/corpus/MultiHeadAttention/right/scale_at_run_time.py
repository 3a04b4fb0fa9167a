# right: equalised learning rate: weights drawn from N(0, 1), scaled in every call
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
        self.w = nn.Parameter(torch.randn(4, d, d))
        self.b = nn.Parameter(torch.zeros(4, d))
        self.c = d**-0.5

    def forward(self, x, mask=None):
        q, k, v = (heads(F.linear(x, self.w[i] * self.c, self.b[i]), self.n) for i in range(3))
        return F.linear(merge(mix(q, k, v, mask)), self.w[3] * self.c, self.b[3])
