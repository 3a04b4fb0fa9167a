# wrong: nn.RMSNorm of torch (no shift)
# named: no_mean
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_0, self.ln_1 = nn.RMSNorm(config.hidden_size, eps=config.layer_norm_eps), nn.RMSNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.attn, self.ff = MultiHeadAttention(config), FeedForward(config)

    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_0(x), mask)
        return x + self.ff(self.ln_1(x))
