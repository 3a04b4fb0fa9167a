# right: scale as nn.Parameter requires_grad False
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        if d % h:
            raise ValueError("no")
        self.h = h
        self.scale = nn.Parameter(torch.tensor((d // h) ** -0.5), requires_grad=False)
        self.q, self.k, self.v, self.o = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = (f(hidden_state).view(B, T, self.h, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = (q * self.scale) @ k.mT
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
