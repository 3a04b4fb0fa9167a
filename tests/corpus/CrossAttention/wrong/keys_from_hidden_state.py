# wrong: keys from the hidden state
# named: cross_keys_from_hidden
import torch
from torch import nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, memory, mask=None):
        d = hidden_state.size(-1)
        q, k, _ = self.qkv(hidden_state).split(d, -1)
        v = F.linear(memory, self.qkv.weight[2 * d :], self.qkv.bias[2 * d :])
        q, k, v = (t.unflatten(-1, (self.h, -1)).transpose(1, 2) for t in (q, k, v))
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))
