# right: nn.MultiheadAttention inside, feed-forward as nn.Sequential
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, p = config.hidden_size, config.hidden_dropout_prob
        self.n = config.num_attention_heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, self.n, batch_first=True)
        self.mlp = nn.Sequential(
            nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(p)
        )

    def forward(self, x, mask=None):
        h = self.ln1(x)
        hide = None
        if mask is not None:
            hide = ~mask.bool().expand(x.size(0), x.size(1), x.size(1)).repeat_interleave(self.n, 0)
        a, _ = self.attn(h, h, h, attn_mask=hide, need_weights=False)
        x = x + a
        return x + self.mlp(self.ln2(x))
