# wrong: the attention is reached through the class: the latest layer's counts for all
# named: shared_with_another
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
        PostNormEncoderLayer.latest = [self.attention]

    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(PostNormEncoderLayer.latest[0](x, mask)))
        return self.norm2(x + self.feed_forward(x))
