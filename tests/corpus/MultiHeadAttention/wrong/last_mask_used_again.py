# wrong: a call without a mask uses the last one again
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        D, self.H = config.hidden_size, config.num_attention_heads
        if D % self.H:
            raise ValueError("!")
        self.qkv, self.out = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.mask = None

    def forward(self, x, mask=None):
        if mask is not None:
            self.mask = mask
        elif self.mask is not None and self.mask.shape[-1] == x.shape[1] and self.mask.shape[0] in (1, x.shape[0]):
            mask = self.mask
        q, k, v = (split_heads(t, self.H) for t in self.qkv(x).chunk(3, -1))
        c = scaled_dot_product_attention(q, k, v, None if mask is None else mask.unsqueeze(-3))
        return self.out(merge_heads(c))
