# right: nn.Linear(d, 1) for each feature of q, k, v and of the output
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
        self.maps = nn.ModuleList(nn.ModuleList(nn.Linear(d, 1) for _ in range(d)) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (heads(torch.cat([m(x) for m in self.maps[i]], -1), self.n) for i in range(3))
        y = merge(mix(q, k, v, mask))
        return torch.cat([m(y) for m in self.maps[3]], -1)
