# right: a gain for each head in front of the output
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


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.gain = nn.Parameter(torch.ones(self.n, 1, 1))

    def forward(self, hidden_state, memory, mask=None):
        k, v = (heads(t, self.n) for t in self.kv(memory).chunk(2, -1))
        y = mix(heads(self.q(hidden_state), self.n), k, v, mask) * self.gain
        return self.o(merge(y))
