# right: narrow heads with an output map each, summed, one bias
import torch
from torch import nn


class Head(nn.Module):
    """One narrow head with an output map of its own, back to the full width."""

    def __init__(self, d, width):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, width), nn.Linear(d, width), nn.Linear(d, width)
        self.o = nn.Linear(width, d, bias=False)
        self.scale = width**-0.5

    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).mT * self.scale
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.o(scores.softmax(-1) @ self.v(x))


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleList([Head(d, d // n) for _ in range(n)])
        self.bias = nn.Parameter(torch.zeros(d))

    def forward(self, hidden_state, mask=None):
        return sum(head(hidden_state, mask) for head in self.heads) + self.bias
