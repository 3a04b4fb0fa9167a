# wrong: without a mask, memory vectors of 0 are hidden
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (
            LayerNorm(config.hidden_size, config.layer_norm_eps) for _ in range(3)
        )
        self.attention = MultiHeadAttention(config)
        self.cross = CrossAttention(config)
        self.feed_forward = FeedForward(config)

    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state
        causal = causal_mask(x.shape[1]).unsqueeze(0)
        if memory_mask is None:
            memory_mask = (memory != 0).any(-1).unsqueeze(1) | (memory == 0).all()
        x = x + self.attention(self.norm1(x), causal)
        x = x + self.cross(self.norm2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm3(x))
