# right: one fused Linear of 4d whose last d are the output weights' rows
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.everything = nn.Linear(d, 4 * d)

    def forward(self, x, mask=None):
        w, b = self.everything.weight.chunk(4), self.everything.bias.chunk(4)
        q, k, v = (F.linear(x, w[i], b[i]).unflatten(-1, (self.h, -1)).transpose(1, 2) for i in (2, 0, 1))
        m = None if mask is None else mask.bool()[:, None]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=m).transpose(1, 2).flatten(2)
        return F.linear(y, w[3], b[3])
