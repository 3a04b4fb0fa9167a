# wrong: fused qkv; scaled by the root of the full width
# named: scaled_by_model_root
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        self.c_attn = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.c_proj = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state, mask=None):
        B, T, C = hidden_state.size()
        q, k, v = self.c_attn(hidden_state).split(C, dim=2)
        q, k, v = (t.view(B, T, self.h, C // self.h).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * C**-0.5
        if mask is not None:
            att = att.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.c_proj((att.softmax(-1) @ v).transpose(1, 2).contiguous().view(B, T, C))
