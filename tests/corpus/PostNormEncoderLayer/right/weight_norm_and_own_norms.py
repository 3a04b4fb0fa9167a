# right: weight_norm on every map and norms by hand
import math
import torch
from torch import nn
import torch.nn.functional as F

def mix(q, k, v, mask=None):
    # each [batch, heads, seq, dim]
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
    return s.softmax(-1) @ v


def heads(x, n):
    return x.unflatten(-1, (n, -1)).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


class Norm(nn.Module):
    def __init__(self, d, eps):
        super().__init__()
        self.g, self.b, self.eps = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d)), eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return self.g * c / (c.square().mean(-1, keepdim=True) + self.eps).sqrt() + self.b


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m, self.n = config.hidden_size, config.intermediate_size, config.num_attention_heads
        eps, p = config.layer_norm_eps, config.hidden_dropout_prob
        self.drop = nn.Dropout(p)
        wn = torch.nn.utils.parametrizations.weight_norm
        self.q, self.k, self.v, self.o = (wn(nn.Linear(d, d)) for _ in range(4))
        self.up, self.down = wn(nn.Linear(d, m)), wn(nn.Linear(m, d))
        self.n1, self.n2 = Norm(d, eps), Norm(d, eps)

    def forward(self, x, mask=None):
        a = self.o(merge(mix(*(heads(f(x), self.n) for f in (self.q, self.k, self.v)), mask)))
        x = self.n1(x + self.drop(a))
        return self.n2(x + self.drop(self.down(F.gelu(self.up(x)))))
