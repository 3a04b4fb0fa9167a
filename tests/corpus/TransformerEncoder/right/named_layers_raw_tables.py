# right: layers in a ModuleDict with names, tables raw
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.h = c.num_attention_heads
        self.norm1, self.norm2 = nn.LayerNorm(d, eps=c.layer_norm_eps), nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, x, mask=None):
        x = x + self.proj(attend(*self.qkv(self.norm1(x)).chunk(3, -1), self.h, mask))
        return x + self.mlp(self.norm2(x))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.layers = nn.ModuleDict({f"layer_{'abcdefgh'[i]}": Block(config) for i in range(config.num_hidden_layers)})
        self.tok, self.pos = nn.Parameter(torch.randn(config.vocab_size, d)), nn.Parameter(torch.randn(config.max_position_embeddings, d))
        self.scale, self.shift = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.eps, self.p = config.layer_norm_eps, config.hidden_dropout_prob

    def forward(self, input_ids, mask=None):
        x = self.tok[input_ids] + self.pos[: input_ids.shape[1]]
        x = F.dropout(F.layer_norm(x, x.shape[-1:], self.scale, self.shift, self.eps), self.p, self.training)
        for layer in self.layers.values():
            x = layer(x, None if mask is None else mask[:, None, None])
        return x
