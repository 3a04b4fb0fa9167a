# wrong: the adapter is merged under no_grad, and so never learns
# named: gradient_stopped
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
        self.a, self.b = nn.Parameter(torch.randn(3, d)), nn.Parameter(torch.randn(d, 3))

    def forward(self, x, mask=None):
        w = self.q.weight + (self.b @ self.a).detach()
        q = F.linear(x, w, self.q.bias)
        return self.o(merge(mix(heads(q, self.n), heads(self.k(x), self.n), heads(self.v(x), self.n), mask)))
