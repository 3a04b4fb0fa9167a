# wrong: mask remembered from last call when None
# named: earlier_call_counts
import torch
from torch import nn
from dataclasses import dataclass
@dataclass
class Dims:
    d: int
    h: int
    m: int
    p: float
    eps: float
class Block(nn.Module):
    def __init__(self, dims: Dims, ctx):
        super().__init__()
        self.dims = dims
        self.ctx = ctx
        d = dims.d
        self.attn_in = nn.Linear(d, 3 * d)
        self.attn_out = nn.Linear(d, d)
        self.fc = nn.Sequential(nn.LayerNorm(d, dims.eps), nn.Linear(d, dims.m), nn.GELU(), nn.Linear(dims.m, d), nn.Dropout(dims.p))
        self.ln = nn.LayerNorm(d, dims.eps)
    def forward(self, x):
        B, T, d = x.shape
        qkv = self.attn_in(self.ln(x)).view(B, T, 3, self.dims.h, d // self.dims.h)
        q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
        att = torch.einsum("bthd,bshd->bhts", q, k) * (d // self.dims.h) ** -0.5
        if self.ctx.get("mask") is not None:
            att = att.masked_fill(self.ctx["mask"][:, None, None] == 0, float("-inf"))
        x = x + self.attn_out(torch.einsum("bhts,bshd->bthd", att.softmax(-1), v).reshape(B, T, d))
        return x + self.fc(x)
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        dims = Dims(config.hidden_size, config.num_attention_heads, config.intermediate_size, config.hidden_dropout_prob, config.layer_norm_eps)
        self.ctx = {}
        self.tok = nn.Embedding(config.vocab_size, dims.d)
        self.pos = nn.Embedding(config.max_position_embeddings, dims.d)
        self.typ = nn.Embedding(config.type_vocab_size, dims.d)
        self.pre = nn.Sequential(nn.LayerNorm(dims.d, dims.eps), nn.Dropout(dims.p))
        self.body = nn.Sequential(*[Block(dims, self.ctx) for _ in range(config.num_hidden_layers)], nn.LayerNorm(dims.d, dims.eps))
    def forward(self, input_ids, mask=None):
        self.ctx["mask"] = mask if mask is not None else self.ctx.get("mask")
        x = self.tok(input_ids) + self.pos.weight[None, :input_ids.size(1)] + self.typ.weight[0]
        return self.body(self.pre(x))
