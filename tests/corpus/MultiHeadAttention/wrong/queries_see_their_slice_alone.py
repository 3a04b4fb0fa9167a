# wrong: a grouped convolution for the queries, so that each head sees a slice of the token alone
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.q = nn.Conv1d(d, d, 1, groups=self.h)
        self.k, self.v, self.o = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        cut = lambda y: y.view(b, t, self.h, -1).transpose(1, 2)
        q, k, v = cut(self.q(x.mT).mT.contiguous()), cut(self.k(x)), cut(self.v(x))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
