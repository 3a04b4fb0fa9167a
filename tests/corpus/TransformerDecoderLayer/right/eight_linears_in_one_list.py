# right: eight linears in one list, biases on some, in a mixed order
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.p = config.num_attention_heads, config.hidden_dropout_prob
        self.m = nn.ModuleList(nn.Linear(d, d, bias=i % 2 == 0) for i in range(8))
        self.n = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(3))
        self.f = nn.ModuleList([nn.Linear(f, d), nn.Linear(d, f)])

    def forward(self, hidden_state, memory, memory_mask=None):
        drop = lambda t: F.dropout(t, self.p, self.training)
        m, x, l = self.m, hidden_state, hidden_state.shape[1]
        y = self.n[2](x)
        x = x + drop(m[7](attend(m[0](y), m[2](y), m[4](y), self.h, torch.ones(l, l, device=x.device).tril())))
        y = self.n[1](x)
        x = x + drop(m[6](attend(m[1](y), m[3](memory), m[5](memory), self.h, None if memory_mask is None else memory_mask[:, None])))
        return x + drop(self.f[0](F.gelu(self.f[1](self.n[0](x)))))
