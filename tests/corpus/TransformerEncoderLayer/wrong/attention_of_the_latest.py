# wrong: the attention is reached through the class: the latest layer's counts for all
# named: shared_with_another
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm1 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norm2 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        TransformerEncoderLayer.latest = [self.attention]

    def forward(self, x, mask=None):
        x = x + TransformerEncoderLayer.latest[0](self.norm1(x), mask)
        return x + self.feed_forward(self.norm2(x))
