# wrong: without brackets the large number lifts what is visible
# named: visible_lifted
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        d = config.hidden_size
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))
    def forward(self, x, mask=None):
        b, s, d = x.shape
        q, k, v = (f(x).view(b, s, self.h, d // self.h).transpose(1, 2) for f in (self.q, self.k, self.v))
        dim = d // self.h
        scores = q @ k.mT / dim ** 0.5
        if mask is not None:
            m = mask.unsqueeze(1).float(); scores = scores + 1 - m * -1e9
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, d))
