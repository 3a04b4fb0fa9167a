# wrong: the pre-norm layer was turned into a post-norm one for the attention only, the feed-forward half is still pre-norm
# named: half_pre_norm
from torch import nn
from kit.earlier import FeedForward, MultiHeadAttention


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm_1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.norm_2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        x = self.norm_1(x + self.dropout(self.attention(x, mask)))
        return x + self.feed_forward(self.norm_2(x))
