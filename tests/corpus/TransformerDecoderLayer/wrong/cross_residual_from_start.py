# wrong: cross attention's residual starts at the layer's input: self attention's result lost
# named: second_residual_from_start
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def exists(val):
    return val is not None

def default(val, d):
    return val if exists(val) else d

class Attend(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, dim * 2, bias=False)
        self.to_out = nn.Sequential(nn.Linear(dim, dim), nn.Dropout(0.))

    def forward(self, x, context=None, mask=None):
        h = self.heads
        kv_input = default(context, x)
        q, k, v = self.to_q(x), *self.to_kv(kv_input).chunk(2, dim=-1)
        q, k, v = map(lambda t: t.unflatten(-1, (h, -1)).movedim(-2, 1), (q, k, v))
        dots = torch.einsum('b h i d, b h j d -> b h i j', q, k) * self.scale
        if exists(mask):
            mask = mask.unsqueeze(-3).to(torch.bool)
            dots = dots.masked_fill(~mask, -torch.finfo(dots.dtype).max)
        attn = dots.softmax(dim=-1)
        out = torch.einsum('b h i j, b h j d -> b i h d', attn, v)
        return self.to_out(out.flatten(-2))
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, e = config.hidden_size, config.layer_norm_eps
        self.sa, self.ca = Attend(d, config.num_attention_heads), Attend(d, config.num_attention_heads)
        self.ff = nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob))
        self.n1, self.n2, self.n3 = nn.LayerNorm(d, eps=e), nn.LayerNorm(d, eps=e), nn.LayerNorm(d, eps=e)
    def forward(self, hidden_state, memory, memory_mask=None):
        t = hidden_state.shape[1]
        tri = torch.ones(t, t, dtype=torch.bool).tril()
        out1 = hidden_state + self.sa(self.n1(hidden_state), mask=tri)
        out2 = hidden_state + self.ca(self.n2(out1), context=memory, mask=memory_mask)
        return out2 + self.ff(self.n3(out2))
