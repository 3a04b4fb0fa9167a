# wrong: GELU by tanh in a Sequential
# named: gelu_tanh
import torch
from torch import nn, einsum
def exists(v):
    return v is not None
def default(v, d):
    return v if exists(v) else d
class Attention(nn.Module):
    def __init__(self, dim, heads, causal=False):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Linear(dim, dim)
    def forward(self, x, context=None, context_mask=None):
        b, n, d, h = *x.shape, self.heads
        ctx = default(context, x)
        q, k, v = (self.to_q(x), *self.to_kv(ctx).chunk(2, dim=-1))
        q, k, v = map(lambda t: t.reshape(b, -1, h, d // h).transpose(1, 2), (q, k, v))
        dots = einsum('bhid,bhjd->bhij', q, k) * self.scale
        neg = -torch.finfo(dots.dtype).max
        if exists(context_mask):
            dots.masked_fill_(~context_mask.bool().unsqueeze(-3), neg)
        if self.causal:
            i, j = dots.shape[-2:]
            dots.masked_fill_(torch.ones(i, j, device=x.device).triu_(j - i + 1).bool(), neg)
        out = einsum('bhij,bhjd->bhid', dots.softmax(dim=-1), v)
        return self.to_out(out.transpose(1, 2).reshape(b, n, d))
class Sub(nn.Module):
    def __init__(self, dim, eps, fn):
        super().__init__()
        self.norm, self.fn = nn.LayerNorm(dim, eps=eps), fn
    def forward(self, x, *args, **kw):
        return self.fn(self.norm(x), *args, **kw) + x
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim, heads, eps = config.hidden_size, config.num_attention_heads, config.layer_norm_eps
        ff = nn.Sequential(nn.Linear(dim, config.intermediate_size), nn.GELU(approximate='tanh'), nn.Linear(config.intermediate_size, dim), nn.Dropout(config.hidden_dropout_prob))
        self.layers = nn.ModuleList([Sub(dim, eps, Attention(dim, heads, True)), Sub(dim, eps, Attention(dim, heads)), Sub(dim, eps, ff)])
    def forward(self, x, memory, memory_mask=None):
        attn, cross, ff = self.layers
        x = attn(x)
        x = cross(x, context=memory, context_mask=memory_mask)
        return ff(x)
