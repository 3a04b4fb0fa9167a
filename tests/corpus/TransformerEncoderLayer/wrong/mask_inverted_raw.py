# wrong: mask inverted, all raw, vectors in an odd order
# named: mask_inverted
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask != 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        g = lambda *s: nn.Parameter(torch.randn(*s) * 0.1)
        self.down, self.up, self.mix, self.qkv = g(d, f), g(f, d), g(d, d), g(3, d, d)
        self.v1, self.v2, self.v3, self.v4, self.v5, self.v6 = (g(d) for _ in range(6))
        self.v7 = g(f)

    def forward(self, x, mask=None):
        y = F.layer_norm(x, x.shape[-1:], self.v6, self.v1, self.eps)
        q, k, v = (F.linear(y, w) for w in self.qkv)
        x = x + attend(q, k, v, self.h, None if mask is None else mask[:, None]) @ self.mix + self.v3
        y = F.layer_norm(x, x.shape[-1:], self.v4, self.v5, self.eps)
        return x + F.dropout(F.linear(F.gelu(F.linear(y, self.up, self.v7)), self.down, self.v2), self.p, self.training)
