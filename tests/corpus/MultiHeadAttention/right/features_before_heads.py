# right: heads' features before heads: view to [head_dim, heads]
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.a, self.b, self.c, self.d = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (-1, self.h)) for f in (self.a, self.b, self.c))
        a = torch.einsum("bqkh,bskh->bhqs", q, k) * k.shape[2] ** -0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return self.d(torch.einsum("bhqs,bskh->bqkh", a.softmax(-1), v).flatten(2))
