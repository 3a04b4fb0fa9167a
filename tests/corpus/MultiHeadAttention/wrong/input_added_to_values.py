# wrong: a residual connection around the values' projection
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads:
            raise ValueError("heads do not divide the width")
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = self.q(x), self.k(x), x + self.v(x)
        q, k, v = (f.unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, -torch.inf)
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
