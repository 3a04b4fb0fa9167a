# wrong: not causal, memory mask inverted, scaled by the model
# named: not_causal, memory_mask_inverted, scaled_by_model_root
import torch, math
from torch import nn
class MHA(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c.hidden_size; self.h = c.num_attention_heads
        self.q = nn.Linear(h, h); self.k = nn.Linear(h, h); self.v = nn.Linear(h, h); self.o = nn.Linear(h, h)
    def forward(self, x, y, mask=None):
        b, s, e = x.shape
        q, k, v = (f(t).view(b, t.shape[1], self.h, -1).transpose(1, 2) for f, t in ((self.q, x), (self.k, y), (self.v, y)))
        sc = q @ k.mT / math.sqrt(e)
        if mask is not None:
            sc = sc.masked_fill(mask[:, None] == 0, -1e9)
        return self.o((sc.softmax(-1) @ v).transpose(1, 2).reshape(b, s, e))
class TransformerDecoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c.hidden_size
        self.a = MHA(c); self.c = MHA(c)
        self.n1 = nn.LayerNorm(h, eps=c.layer_norm_eps); self.n2 = nn.LayerNorm(h, eps=c.layer_norm_eps); self.n3 = nn.LayerNorm(h, eps=c.layer_norm_eps)
        self.f = nn.Sequential(nn.Linear(h, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, h), nn.Dropout(c.hidden_dropout_prob))
    def forward(self, x, memory, memory_mask=None):
        z = self.n1(x)
        x = x + self.a(z, z)
        z = self.n2(x)
        x = x + self.c(z, memory, None if memory_mask is None else memory_mask == 0)
        return x + self.f(self.n3(x))
