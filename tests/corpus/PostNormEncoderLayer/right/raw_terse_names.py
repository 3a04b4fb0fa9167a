# right: raw parameters with terse names, norms called g and o
import math
import torch
from torch import nn
import torch.nn.functional as F


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.heads, self.p = config.num_attention_heads, config.hidden_dropout_prob
        w = lambda *s: nn.Parameter(torch.randn(*s) * 0.02)
        z = lambda n: nn.Parameter(torch.zeros(n))
        self.wq, self.bq, self.wk, self.bk = w(d, d), z(d), w(d, d), z(d)
        self.wv, self.bv, self.wo, self.bo = w(d, d), z(d), w(d, d), z(d)
        self.g1, self.o1 = nn.Parameter(torch.ones(d)), z(d)
        self.w1, self.b1, self.w2, self.b2 = w(d, f), z(f), w(f, d), z(d)
        self.g2, self.o2 = nn.Parameter(torch.ones(d)), z(d)
        self.eps = config.layer_norm_eps

    def norm(self, x, g, o):
        x = x - x.mean(-1, keepdim=True)
        return g * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) + o

    def drop(self, x):
        return F.dropout(x, self.p, self.training)

    def forward(self, x, mask=None):
        cut = lambda t: t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        q, k, v = cut(x @ self.wq + self.bq), cut(x @ self.wk + self.bk), cut(x @ self.wv + self.bv)
        s = q @ k.mT / math.sqrt(q.size(-1))
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, -1e9)
        a = (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.wo + self.bo
        x = self.norm(x + self.drop(a), self.g1, self.o1)
        h = F.gelu(x @ self.w1 + self.b1) @ self.w2 + self.b2
        return self.norm(x + self.drop(h), self.g2, self.o2)
