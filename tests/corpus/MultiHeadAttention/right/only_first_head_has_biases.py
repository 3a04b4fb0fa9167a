# right: per-head q,k,v Linears, only head 0 has biases
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
        for x in "qkv":
            setattr(self, x, nn.ModuleList(nn.Linear(d, self.hd, bias=i == 0) for i in range(n)))
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = (torch.stack([f(hidden_state) for f in l], 1) for l in (self.q, self.k, self.v))
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
