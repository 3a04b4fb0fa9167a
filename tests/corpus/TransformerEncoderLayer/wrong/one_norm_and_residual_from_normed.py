# wrong: one norm in both places, and the second residual starts from the normalised vector
# named: first_norm_twice, second_residual_from_normed
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.norm1 = self.norm2 = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, x, mask=None):
        y = self.norm1(x)
        x = x + self.attention(y, mask)
        y = self.norm2(x)
        return y + self.feed_forward(y)
