# right: v and o absorbed per head as lists, qk fused over heads [n, D, 2hd]
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
        self.qk = nn.Parameter(torch.randn(n, d, 2 * self.hd) * d ** -0.5)
        self.v = nn.ModuleList(nn.Linear(d, self.hd) for _ in range(n))
        self.o = nn.ModuleList(nn.Linear(self.hd, d, bias=i == 0) for i in range(n))

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k = (hidden_state[:, None] @ self.qk).chunk(2, dim=-1)
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        p = s.softmax(-1)
        return sum(o(p[:, i] @ v(hidden_state)) for i, (v, o) in enumerate(zip(self.v, self.o)))
