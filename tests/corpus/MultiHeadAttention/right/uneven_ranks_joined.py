# right: uneven ranks joined
import math
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        a = d // 3
        self.first = nn.Parameter(torch.randn(3, d, a) * 0.1)
        self.second = nn.Parameter(torch.randn(3, d, d - a) * 0.1)
        self.out_a = nn.Linear(a, d, bias=False)
        self.out_b = nn.Linear(d - a, d)
        self.a = a

    def forward(self, x, mask=None):
        b, t, d = x.shape
        y = torch.cat([torch.einsum("btd,rda->rbta", x, w) for w in (self.first, self.second)], -1)
        q, k, v = y.view(3, b, t, self.h, d // self.h).transpose(2, 3)
        s = q @ k.transpose(-2, -1) / (d // self.h) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, -1e30)
        c = (s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d)
        return self.out_a(c[..., : self.a]) + self.out_b(c[..., self.a :])
