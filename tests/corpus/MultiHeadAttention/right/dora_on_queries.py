# right: dora on queries
import math
import torch
from torch import nn
import torch.nn.functional as F


class Dora(nn.Module):
    def __init__(self, d, r=3):
        super().__init__()
        self.base = nn.Linear(d, d)
        self.down = nn.Parameter(torch.randn(r, d) * 0.1)
        self.up = nn.Parameter(torch.zeros(d, r))
        self.size = nn.Parameter(self.base.weight.detach().norm(dim=1, keepdim=True))

    def forward(self, x):
        w = self.base.weight + self.up @ self.down
        return F.linear(x, self.size * w / w.norm(dim=1, keepdim=True), self.base.bias)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.q, self.k, self.v, self.o = Dora(d), nn.Linear(d, d), Dora(d), nn.Linear(d, d)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        q, k, v = (f(x).view(b, t, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / math.sqrt(d / self.h)
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
