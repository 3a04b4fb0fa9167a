# right: branch gates by run time scale
import math
import torch
from torch import nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n, self.h = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.n1, self.n2 = nn.LayerNorm(d, config.layer_norm_eps), nn.LayerNorm(d, config.layer_norm_eps)
        self.att = nn.MultiheadAttention(d, self.h, batch_first=True)
        self.up, self.down = nn.Linear(d, n), nn.Linear(n, d)
        self.gate = nn.Parameter(torch.tensor([0.7, 1.3]))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        m = None
        if mask is not None:
            m = ~mask.bool().expand(x.shape[0], x.shape[1], x.shape[1]).repeat_interleave(self.h, 0)
        y = self.n1(x)
        y, _ = self.att(y, y, y, attn_mask=m, need_weights=False)
        x = x + self.gate[0] * self.drop(y)
        return x + self.gate[1] * self.drop(self.down(F.gelu(self.up(self.n2(x)))))
