# right: Residual(PreNorm(fn)) wrappers
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class PreNorm(nn.Module):
    def __init__(self, d, eps, fn):
        super().__init__()
        self.norm = nn.LayerNorm(d, eps=eps)
        self.fn = fn

    def forward(self, x, *args):
        return self.fn(self.norm(x), *args)


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, *args):
        return x + self.fn(x, *args)


class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.to_qkv = nn.Linear(d, 3 * d, bias=False)
        self.to_out = nn.Linear(d, d)

    def forward(self, x, mask=None):
        q, k, v = self.to_qkv(x).chunk(3, -1)
        return self.to_out(attend(q, k, v, self.h, None if mask is None else mask[:, None]))


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, e = config.hidden_size, config.layer_norm_eps
        net = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob))
        self.steps = nn.ModuleList([Residual(PreNorm(d, e, Attention(d, config.num_attention_heads))), Residual(PreNorm(d, e, net))])

    def forward(self, x, mask=None):
        return self.steps[1](self.steps[0](x, mask))
