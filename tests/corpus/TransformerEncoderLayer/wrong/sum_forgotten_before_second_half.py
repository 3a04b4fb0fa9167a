# wrong: the second addition takes the attention's answer, not the sum
# named: second_residual_from_attention
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_size
        self.norms = nn.ModuleList(nn.LayerNorm(width, config.layer_norm_eps) for _ in range(2))
        self.attention = MultiHeadAttention(config)
        self.network = FeedForward(config)

    def forward(self, x, mask=None):
        mixed = self.attention(self.norms[0](x), mask)
        return self.network(self.norms[1](x + mixed)) + mixed
