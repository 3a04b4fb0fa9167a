# wrong: qk strided, v contiguous, no scale
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
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = (f(hidden_state).view(B, T, self.n, self.hd).transpose(1, 2) for f in (self.q, self.k, self.v))
        q, k = (f(hidden_state).view(B, T, self.hd, self.n).permute(0, 3, 1, 2) for f in (self.q, self.k))
        s = q @ k.mT
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
