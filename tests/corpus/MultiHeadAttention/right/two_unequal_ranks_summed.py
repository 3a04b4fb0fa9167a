# right: two ranks unequal summed with separate q k v
import torch
from torch import nn
import torch.nn.functional as F


class Rank(nn.Module):
    def __init__(self, d, heads, hd):
        super().__init__()
        self.heads, self.hd = heads, hd
        self.q, self.k, self.v = (nn.Linear(d, heads * hd) for _ in range(3))
        self.o = nn.Linear(heads * hd, d, bias=False)

    def forward(self, x, mask):
        b, t, _ = x.shape
        q, k, v = (p(x).view(b, t, self.heads, self.hd).transpose(1, 2) for p in (self.q, self.k, self.v))
        s = q @ k.transpose(-1, -2) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, -1))


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        if d % h:
            raise ValueError("not divisible")
        self.ranks = nn.ModuleList([Rank(d, h - h // 2, d // h), Rank(d, h // 2, d // h)])

    def forward(self, hidden_state, mask=None):
        return sum(r(hidden_state, mask) for r in self.ranks)
