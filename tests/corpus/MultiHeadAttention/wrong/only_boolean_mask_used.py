# wrong: fused qkv interleaved by head; mask only used when it is boolean
# named: integers_inverted
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state, mask=None):
        B, T, C = hidden_state.size()
        q, k, v = self.qkv(hidden_state).view(B, T, self.h, 3, -1).permute(3, 0, 2, 1, 4)
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None and mask.dtype == torch.bool:
            s = s.masked_fill(~mask.unsqueeze(1), float("-inf"))
        return self.out((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))
