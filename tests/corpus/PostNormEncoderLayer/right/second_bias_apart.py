# right: only the second feed-forward Linear has its bias beside it
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
class SelfAttn(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, C = config.num_attention_heads, config.hidden_size
        self.c_attn = nn.Linear(C, 3 * C)
        self.c_proj = nn.Linear(C, C)
    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = self.c_attn(x).view(B, T, 3, self.n_head, C // self.n_head).permute(2, 0, 3, 1, 4)
        if mask is not None:
            mask = mask.to(torch.bool).expand(B, T, T).unsqueeze(1)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))
class PostNormEncoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        D = c.hidden_size
        self.attn, self.p = SelfAttn(c), c.hidden_dropout_prob
        self.up, self.down = nn.Linear(D, c.intermediate_size), nn.Linear(c.intermediate_size, D, bias=False)
        self.down_bias = nn.Parameter(torch.zeros(D))
        self.n1, self.n2 = nn.LayerNorm(D, c.layer_norm_eps), nn.LayerNorm(D, c.layer_norm_eps)
    def forward(self, x, mask=None):
        x = self.n1(x + F.dropout(self.attn(x, mask), self.p, self.training))
        return self.n2(x + F.dropout(self.down(F.gelu(self.up(x))) + self.down_bias, self.p, self.training))
