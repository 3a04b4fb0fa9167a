# right: Conv1d layers as in BigGAN: queries and keys heads first, values features first
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
        self.q, self.k, self.v, self.o = (nn.Conv1d(d, d, 1) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        x = hidden_state.mT
        q, k = (f(x).view(B, self.n, self.hd, T).mT for f in (self.q, self.k))
        v = self.v(x).view(B, self.hd, self.n, T).permute(0, 2, 3, 1)
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        return self.o((s.softmax(-1) @ v).mT.reshape(B, D, T)).mT
