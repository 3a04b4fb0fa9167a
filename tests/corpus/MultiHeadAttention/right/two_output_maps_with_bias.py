# right: an output map for each head, two of them with a bias
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
        self.q, self.k, self.v = (nn.Linear(d, d, bias=True) for _ in range(3))
        self.o = nn.ModuleList(nn.Linear(self.hd, d, bias=i < 2) for i in range(n))

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = (f(hidden_state).view(B, T, self.n, self.hd).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        y = s.softmax(-1) @ v
        return sum(o(y[:, i]) for i, o in enumerate(self.o))
