# wrong: one head with a fused map, repeated
# named: heads_shared
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * k, bias=False)

    def forward(self, x, mask):
        q, k, v = self.qkv(x).chunk(3, -1)
        return scaled_dot_product_attention(q, k, v, mask)

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        D, H = config.hidden_size, config.num_attention_heads
        if D % H:
            raise ValueError("D")
        self.heads = nn.ModuleList([Head(D, D // H)] * H)
        self.o = nn.Linear(D, D)

    def forward(self, hidden_state, mask=None):
        return self.o(torch.cat([h(hidden_state, mask) for h in self.heads], -1))
