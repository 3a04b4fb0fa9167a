# wrong: narrow heads summed before an output map as narrow
# named: heads_summed
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        D, H = config.hidden_size, config.num_attention_heads
        if D % H:
            raise ValueError("!")
        self.heads = nn.ModuleList([nn.ModuleDict({n: nn.Linear(D, D // H) for n in "qkv"}) for _ in range(H)])
        self.o = nn.Linear(D // H, D)

    def forward(self, x, mask=None):
        c = sum(scaled_dot_product_attention(h["q"](x), h["k"](x), h["v"](x), mask) for h in self.heads)
        return self.o(c)
