# wrong: 1,024 features by default, the config is not read
import torch, math
from torch import nn
class Attn(nn.Module):
    def __init__(self, hidden=1024, heads=16):
        super().__init__()
        self.h = heads
        self.q_linear = nn.Linear(hidden, hidden)
        self.k_linear = nn.Linear(hidden, hidden)
        self.v_linear = nn.Linear(hidden, hidden)
        self.o_linear = nn.Linear(hidden, hidden)
    def forward(self, x, mask=None):
        b, s, e = x.shape
        q, k, v = (f(x).view(b, s, self.h, -1).transpose(1, 2) for f in (self.q_linear, self.k_linear, self.v_linear))
        sc = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            sc = sc.masked_fill(mask[:, None] == 0, -1e9)
        return self.o_linear((sc.softmax(-1) @ v).transpose(1, 2).reshape(b, s, e))
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attn = Attn()
    def forward(self, hidden_state, mask=None):
        return self.attn(hidden_state, mask)
