# wrong: a mask that hides a first position is taken for one that says the opposite
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
        if mask is not None and bool((mask[..., 0] == 0).any()):
            mask = mask == 0
        x = x + self.attention(self.norm1(x), mask)
        return x + self.feed_forward(self.norm2(x))
