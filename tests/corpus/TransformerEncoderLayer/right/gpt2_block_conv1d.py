# right: one block: ln_1, attn.c_attn, ln_2, mlp.c_fc with Conv1D
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(nx, nf) * 0.02)
        self.bias = nn.Parameter(torch.zeros(nf))

    def forward(self, x):
        return x @ self.weight + self.bias


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.ln_1, self.ln_2 = (nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2))
        self.attn = nn.ModuleDict(dict(c_attn=Conv1D(3 * d, d), c_proj=Conv1D(d, d)))
        self.mlp = nn.ModuleDict(dict(c_fc=Conv1D(config.intermediate_size, d), c_proj=Conv1D(d, config.intermediate_size)))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        m = None if mask is None else mask[:, None]
        x = x + self.attn["c_proj"](attend(*self.attn["c_attn"](self.ln_1(x)).chunk(3, -1), self.h, m))
        return x + self.drop(self.mlp["c_proj"](F.gelu(self.mlp["c_fc"](self.ln_2(x)))))
