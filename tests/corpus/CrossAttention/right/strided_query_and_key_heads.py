# right: four Linears, q k strided, v contiguous
import torch
from torch import nn
import torch.nn.functional as F

class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.n, self.hd = n, d // n
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, memory, mask=None):
        B, T, D = hidden_state.shape
        S = memory.shape[1]
        q = self.q(hidden_state).view(B, T, self.hd, self.n).permute(0, 3, 1, 2)
        k = self.k(memory).view(B, S, self.hd, self.n).permute(0, 3, 1, 2)
        v = self.v(memory).view(B, S, self.n, self.hd).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
