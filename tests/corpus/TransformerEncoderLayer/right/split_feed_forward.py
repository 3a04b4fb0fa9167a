# right: only the FF split in two halves, all else plain
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.n1, self.n2 = nn.LayerNorm(d, config.layer_norm_eps), nn.LayerNorm(d, config.layer_norm_eps)
        self.attn = MultiHeadAttention(config)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        half = m // 2
        self.up_a, self.up_b = nn.Linear(d, half), nn.Linear(d, m - half)
        self.down_a, self.down_b = nn.Linear(half, d, bias=False), nn.Linear(m - half, d)

    def forward(self, x, mask=None):
        x = x + self.attn(self.n1(x), mask)
        y = self.n2(x)
        act = nn.functional.gelu
        return x + self.drop(self.down_a(act(self.up_a(y))) + self.down_b(act(self.up_b(y))))
