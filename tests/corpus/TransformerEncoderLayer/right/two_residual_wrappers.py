# right: two residual wrappers, each with a norm and a function
import torch
from torch import nn


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm, self.fn = nn.LayerNorm(dim), fn

    def forward(self, x, **kwargs):
        return x + self.fn(self.norm(x), **kwargs)


class Attend(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.to_qkv(x).chunk(3, -1))
        dots = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        if mask is not None:
            dots = dots.masked_fill(mask.unsqueeze(1) == 0, -torch.finfo(dots.dtype).max)
        return self.to_out((dots.softmax(-1) @ v).transpose(1, 2).flatten(2))


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        think = nn.Sequential(nn.Linear(d, f), nn.GELU(), nn.Linear(f, d), nn.Dropout(config.hidden_dropout_prob))
        self.second = PreNorm(d, think)
        self.first = PreNorm(d, Attend(d, config.num_attention_heads))

    def forward(self, x, mask=None):
        return self.second(self.first(x, mask=mask))
