# wrong: without a mask, tokens whose vector is 0 are hidden
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm1 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norm2 = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, x, mask=None):
        if mask is None:
            mask = (x != 0).any(-1).unsqueeze(1) | (x == 0).all()
        x = x + self.attention(self.norm1(x), mask)
        return x + self.feed_forward(self.norm2(x))
