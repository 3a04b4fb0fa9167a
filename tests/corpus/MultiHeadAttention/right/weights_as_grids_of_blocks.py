# right: weights as grids of blocks that are put together in each call
import math
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    """Weights as a grid of blocks that is put together in each call."""

    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        w = d // self.h
        self.blocks = nn.ParameterList(nn.Parameter(torch.randn(self.h, self.h, w, w) / d**0.5) for _ in range(4))
        self.bias = nn.Parameter(torch.zeros(4, d))

    def matrix(self, i):
        return torch.cat([torch.cat(list(row), 1) for row in self.blocks[i]], 0)

    def forward(self, x, mask=None):
        q, k, v = (x @ self.matrix(i).T + self.bias[i] for i in range(3))
        b, t, d = x.shape
        q, k, v = (y.reshape(b, t, self.h, d // self.h).permute(0, 2, 1, 3) for y in (q, k, v))
        s = torch.einsum("bhqc,bhkc->bhqk", q, k) / math.sqrt(d // self.h)
        if mask is not None:
            s = s.masked_fill(~mask.bool()[:, None], float("-inf"))
        y = torch.einsum("bhqk,bhkc->bqhc", s.softmax(-1), v).reshape(b, t, d)
        return y @ self.matrix(3).T + self.bias[3]
