# wrong: LayerNorm bias=False (nanoGPT option)
# named: norm_without_shift
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_0, self.ln_1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps, bias=False), nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps, bias=False)
        self.attn, self.ff = MultiHeadAttention(config), FeedForward(config)

    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_0(x), mask)
        return x + self.ff(self.ln_1(x))
