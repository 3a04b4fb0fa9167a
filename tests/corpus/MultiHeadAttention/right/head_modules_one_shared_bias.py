# right: a module for each head, their results summed onto one bias
import math
import torch
from torch import nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, d, w):
        super().__init__()
        self.out = nn.Parameter(torch.randn(w, d) * 0.1)
        self.kv = nn.Linear(d, 2 * w, bias=False)
        self.q = nn.Linear(d, w)

    def forward(self, x, mask):
        k, v = self.kv(x).tensor_split(2, -1)
        s = self.q(x) @ k.mT / math.sqrt(k.shape[-1])
        if mask is not None:
            s = s + torch.where(mask.bool(), 0.0, -1e9)
        return s.softmax(-1) @ v @ self.out


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleList(Head(d, d // h) for _ in range(h))
        self.bias = nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        return sum((head(x, mask) for head in self.heads), start=self.bias)
