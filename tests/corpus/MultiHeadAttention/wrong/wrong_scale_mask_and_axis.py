# wrong: scaled by the model, mask inverted, softmax over the queries
# named: scaled_by_model_root, mask_inverted, softmax_over_queries, mask_fills_minus_ten
import torch, math
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size; self.h = config.num_attention_heads
        self.q = nn.Linear(h, h); self.k = nn.Linear(h, h); self.v = nn.Linear(h, h); self.o = nn.Linear(h, h)
    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (f(x).view(b, s, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        sc = q @ k.mT * 1.0 / math.sqrt(e)
        if mask is not None:
            sc = sc.masked_fill(mask[:, None] == 1, -1e9)
        return self.o((sc.softmax(-2) @ v).transpose(1, 2).reshape(b, s, e))
