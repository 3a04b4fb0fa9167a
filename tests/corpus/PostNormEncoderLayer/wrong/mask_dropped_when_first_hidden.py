# wrong: a mask that hides a first position is taken for one that says the opposite
import torch
from torch import nn


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm1 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norm2 = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        if mask is not None and bool((mask[..., 0] == 0).any()):
            mask = mask == 0
        x = self.norm1(x + self.dropout(self.attention(x, mask)))
        return self.norm2(x + self.feed_forward(x))
