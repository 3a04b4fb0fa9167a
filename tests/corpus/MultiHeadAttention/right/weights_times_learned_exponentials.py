# right: weights times exponentials of learned numbers, at run time
import math
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
        self.gain = nn.Parameter(torch.ones(4))

    def forward(self, x, mask=None):
        def part(layer, i):
            w = layer.weight * self.gain[i].exp()
            y = F.linear(x, w, layer.bias)
            return y.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = part(self.q, 0), part(self.k, 1), part(self.v, 2)
        s = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, torch.finfo(s.dtype).min)
        y = (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
        return F.linear(y, self.o.weight * self.gain[3].exp(), self.o.bias)
