# wrong: post-norm, ReLU, no scale, mask inverted
# named: other_norm_order, relu, unscaled, mask_inverted
import torch, math
from torch import nn
class TransformerEncoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        h = c.hidden_size; self.h = c.num_attention_heads
        self.q = nn.Linear(h, h); self.k = nn.Linear(h, h); self.v = nn.Linear(h, h); self.o = nn.Linear(h, h)
        self.a = nn.Linear(h, c.intermediate_size); self.b = nn.Linear(c.intermediate_size, h)
        self.n1 = nn.LayerNorm(h, eps=c.layer_norm_eps); self.n2 = nn.LayerNorm(h, eps=c.layer_norm_eps)
    def attn(self, x, m):
        b, s, e = x.shape
        q, k, v = (f(x).view(b, s, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        sc = q @ k.mT
        if m is not None:
            sc = sc.masked_fill(m[:, None] == 1, -1e9)
        return self.o((sc.softmax(-1) @ v).transpose(1, 2).reshape(b, s, e))
    def forward(self, x, mask=None):
        x = self.n1(x + self.attn(x, mask))
        return self.n2(x + self.b(torch.relu(self.a(x))))
