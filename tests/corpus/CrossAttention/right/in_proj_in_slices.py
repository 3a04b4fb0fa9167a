# right: in_proj for all three, used in slices
import torch
from torch import nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.c_attn = nn.Parameter(torch.randn(d, 3 * d) * 0.1)
        self.c_bias = nn.Parameter(torch.zeros(3 * d))
        self.c_proj = nn.Linear(d, d)

    def forward(self, hidden_state, memory, mask=None):
        d = hidden_state.shape[-1]
        q = hidden_state @ self.c_attn[:, :d] + self.c_bias[:d]
        k, v = (memory @ self.c_attn[:, d:] + self.c_bias[d:]).split(d, -1)
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        a = q @ k.mT / k.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return self.c_proj((a.softmax(-1) @ v).transpose(1, 2).flatten(2))
