# right: LazyLinear layers, output in a ModuleDict, kaiming
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.m = nn.ModuleDict({name: nn.LazyLinear(d, bias=name != "k") for name in ("merge", "v", "k", "q")})

    def forward(self, x, mask=None):
        q, k, v = (self.m[n](x).unflatten(2, (self.h, -1)).transpose(1, 2) for n in "qkv")
        m = None if mask is None else mask.bool().unsqueeze(1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
        return self.m["merge"](y.transpose(1, 2).flatten(2))
