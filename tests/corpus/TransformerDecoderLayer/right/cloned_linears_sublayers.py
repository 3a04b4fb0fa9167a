# right: src_attn and self_attn of clones() linears, sublayers with norms
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


import copy


class MHA(nn.Module):
    def __init__(self, h, d):
        super().__init__()
        self.h = h
        self.linears = nn.ModuleList([copy.deepcopy(nn.Linear(d, d)) for _ in range(4)])

    def forward(self, q, k, v, mask=None):
        q, k, v = (l(x) for l, x in zip(self.linears, (q, k, v)))
        return self.linears[-1](attend(q, k, v, self.h, None if mask is None else mask[:, None]))


class Sub(nn.Module):
    def __init__(self, d, eps, p):
        super().__init__()
        self.norm, self.dropout = nn.LayerNorm(d, eps=eps), nn.Dropout(p)

    def forward(self, x, f):
        return x + self.dropout(f(self.norm(x)))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.src_attn, self.self_attn = MHA(h, d), MHA(h, d)
        self.w_1, self.w_2 = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)
        self.sublayer = nn.ModuleList(Sub(d, config.layer_norm_eps, config.hidden_dropout_prob) for _ in range(3))

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.shape[1]
        causal = torch.ones(1, n, n, device=hidden_state.device).tril()
        x = self.sublayer[0](hidden_state, lambda y: self.self_attn(y, y, y, causal))
        x = self.sublayer[1](x, lambda y: self.src_attn(y, memory, memory, memory_mask))
        return self.sublayer[2](x, lambda y: self.w_2(F.gelu(self.w_1(y))))
