# right: one [4, d, d] tensor and one [4, d] bias for everything
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n = config.num_attention_heads
        d = config.hidden_size
        self.w = nn.Parameter(torch.randn(4, d, d) * d**-0.5)
        self.b = nn.Parameter(torch.zeros(4, d))

    def forward(self, hidden_state, mask=None):
        qkv = torch.einsum("btd,xde->xbte", hidden_state, self.w[:3]) + self.b[:3, None, None]
        q, k, v = qkv.unflatten(-1, (self.n, -1)).transpose(2, 3)
        s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        y = (s.softmax(-1) @ v).transpose(1, 2).flatten(2)
        return y @ self.w[3] + self.b[3]
