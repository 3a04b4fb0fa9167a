# right: all eight parameters raw with letters and digits that tell nothing
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        for i in (3, 1, 4, 2):
            setattr(self, f"c{i}", nn.Parameter(torch.zeros(d)))
        for i in (2, 4, 1, 3):
            setattr(self, f"x{i}", nn.Parameter(torch.randn(d, d) * 0.1))

    def forward(self, t, mask=None):
        b, s, d = t.shape
        f = lambda i: (t @ getattr(self, f"x{i}") + getattr(self, f"c{5 - i}")).view(b, s, self.h, -1).transpose(1, 2)
        a = f(1) @ f(3).mT / (d // self.h) ** 0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return (a.softmax(-1) @ f(4)).transpose(1, 2).reshape(b, s, d) @ self.x2.T + self.c3
