# wrong: drops the sum, so in training what came in is zeroed too
# named: dropout_place
from torch import nn

from kit.earlier import FeedForward, LayerNorm, MultiHeadAttention


class Around(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, branch):
        return self.dropout(x + branch(self.norm(x)))


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.around_attention, self.around_feed_forward = Around(config), Around(config)

    def forward(self, x, mask=None):
        x = self.around_attention(x, lambda each: self.attention(each, mask))
        return self.around_feed_forward(x, self.feed_forward)
