# right: weight_norm along other axes, queries and keys in one map
import math
import torch
from torch import nn
import torch.nn.functional as F


from torch.nn.utils.parametrizations import weight_norm


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.qk = weight_norm(nn.Linear(d, 2 * d), dim=1)
        self.v = nn.Linear(d, d)
        self.o = weight_norm(nn.Linear(d, d), dim=None)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        qk = self.qk(x).view(b, t, 2, self.h, -1)
        q, k = qk.permute(2, 0, 3, 1, 4)
        v = self.v(x).view(b, t, self.h, -1).transpose(1, 2)
        m = None if mask is None else mask.unsqueeze(1).bool()
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
        return self.o(y.transpose(1, 2).reshape(b, t, d))
