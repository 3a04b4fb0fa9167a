# right: query Linear, fused key and value, sdpa
import torch
from torch import nn
from torch.nn import functional as F


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.kv = nn.Linear(d, 2 * d)
        self.q = nn.Linear(d, d)
        self.o = nn.Linear(d, d, bias=False)

    def forward(self, hidden_state, memory, mask=None):
        b, t, d = hidden_state.shape
        q = self.q(hidden_state).view(b, t, self.h, -1).transpose(1, 2)
        k, v = self.kv(memory).view(b, memory.size(1), 2, self.h, -1).permute(2, 0, 3, 1, 4)
        allowed = None if mask is None else mask[:, None].bool()
        y = F.scaled_dot_product_attention(q, k, v, allowed)
        return self.o(y.transpose(1, 2).reshape(b, t, d))
