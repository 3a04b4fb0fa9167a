# right: a learned scale for each feature behind attention and feed-forward (LayerScale)
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


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m, self.n = config.hidden_size, config.intermediate_size, config.num_attention_heads
        eps, p = config.layer_norm_eps, config.hidden_dropout_prob
        self.drop = nn.Dropout(p)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, m), nn.Linear(m, d)
        self.n1, self.n2 = Norm(d, eps), Norm(d, eps)
        self.s1, self.s2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.ones(d))

    def forward(self, x, mask=None):
        q, k, v = (heads(t, self.n) for t in self.qkv(self.n1(x)).chunk(3, -1))
        x = x + self.s1 * self.o(merge(mix(q, k, v, mask)))
        return x + self.drop(self.s2 * self.down(F.gelu(self.up(self.n2(x)))))
