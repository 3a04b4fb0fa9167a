# wrong: heads joined in reverse order
# named: heads_reversed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.query, self.key, self.value, self.output = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        cut = lambda x: x.view(b, t, self.n, d // self.n).transpose(1, 2)
        q, k, v = cut(self.query(hidden_state)), cut(self.key(hidden_state)), cut(self.value(hidden_state))
        s = q @ k.transpose(-1, -2) / (d // self.n) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.output((s.softmax(-1) @ v).flip(1).transpose(1, 2).reshape(b, t, d))
