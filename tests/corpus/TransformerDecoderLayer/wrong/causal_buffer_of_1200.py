# wrong: the causal mask is made once, for 1,200 positions
import torch
from torch import nn

class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.attention = MultiHeadAttention(config)
        self.cross_norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.cross = CrossAttention(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.feed_forward = FeedForward(config)
        self.register_buffer("causal", torch.ones(1200, 1200, dtype=torch.bool).tril(), persistent=False)

    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state
        seq = x.shape[1]
        causal = self.causal[:seq, :seq].expand(len(x), -1, -1)
        x = x + self.attention(self.attention_norm(x), causal)
        x = x + self.cross(self.cross_norm(x), memory, memory_mask)
        return x + self.feed_forward(self.feed_forward_norm(x))
