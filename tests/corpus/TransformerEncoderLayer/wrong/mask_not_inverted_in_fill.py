# wrong: mask not inverted in masked_fill
# named: mask_inverted
import torch
from torch import nn, einsum


def exists(v):
    return v is not None


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


class PreNorm(nn.Module):
    def __init__(self, dim, fn, eps):
        super().__init__()
        self.norm = nn.LayerNorm(dim, eps=eps)
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(self.norm(x), **kwargs)


def FeedForward(dim, inner, dropout=0.0):
    return nn.Sequential(nn.Linear(dim, inner), nn.GELU(), nn.Linear(inner, dim), nn.Dropout(dropout))


class Attention(nn.Module):
    def __init__(self, dim, heads=8):
        super().__init__()
        dim_head = dim // heads
        self.heads = heads
        self.scale = dim_head**-0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim, bias=False)

    def forward(self, x, mask=None):
        h = self.heads
        q, k, v = (self.to_q(x), *self.to_kv(x).chunk(2, dim=-1))
        # b n (h d) -> (b h) n d
        q, k, v = (
            t.reshape(t.shape[0], t.shape[1], h, -1).permute(0, 2, 1, 3).reshape(t.shape[0] * h, t.shape[1], -1)
            for t in (q, k, v)
        )
        sim = einsum("b i d, b j d -> b i j", q, k) * self.scale
        if exists(mask):
            mask = mask.bool().expand(x.shape[0], x.shape[1], x.shape[1]).repeat_interleave(h, dim=0)
            sim.masked_fill_(mask, -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        out = einsum("b i j, b j d -> b i d", attn, v)
        out = out.reshape(x.shape[0], h, x.shape[1], -1).permute(0, 2, 1, 3).reshape(x.shape)
        return self.to_out(out)


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim, eps = config.hidden_size, config.layer_norm_eps
        self.layers = nn.ModuleList([
            Residual(PreNorm(dim, Attention(dim, config.num_attention_heads), eps)),
            Residual(PreNorm(dim, FeedForward(dim, config.intermediate_size, config.hidden_dropout_prob), eps)),
        ])

    def forward(self, x, mask=None):
        attn, ff = self.layers
        x = attn(x, mask=mask)
        return ff(x)
