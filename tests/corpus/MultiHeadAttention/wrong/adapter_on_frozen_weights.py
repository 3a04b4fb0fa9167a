# wrong: only a low-rank adapter learns, beside weights that are fixed
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
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        for m in (self.q, self.k, self.v, self.o):
            m.weight.requires_grad_(False)
        self.a, self.b = nn.Parameter(torch.randn(4, 2, d)), nn.Parameter(torch.randn(4, d, 2))

    def forward(self, x, mask=None):
        w = [m.weight + self.b[i] @ self.a[i] for i, m in enumerate((self.q, self.k, self.v, self.o))]
        q, k, v = (heads(F.linear(x, m), self.n) for m in w[:3])
        return F.linear(merge(mix(q, k, v, mask)), w[3])
