# wrong: lists of a head each, one output bias, no scale
# named: unscaled
import torch
from torch import nn
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        if d % n:
            raise ValueError(f"{n} heads, {d} features")
        self.n, self.hd = n, d // n
        self.q = nn.ModuleList(nn.Linear(d, self.hd) for _ in range(n))
        self.k = nn.ModuleList(nn.Linear(d, self.hd) for _ in range(n))
        self.v = nn.ModuleList(nn.Linear(d, self.hd) for _ in range(n))
        self.o = nn.ModuleList(nn.Linear(self.hd, d, bias=i == 0) for i in range(n))

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k = (torch.stack([f(hidden_state) for f in l], 1) for l in (self.q, self.k))
        v = torch.stack([f(hidden_state) for f in self.v], 1)
        s = q @ k.transpose(-2, -1)
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        y = s.softmax(-1) @ v
        return sum(o(y[:, i]) for i, o in enumerate(self.o))
