# wrong: the causal mask is made once, for 256 positions
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        h, eps = config.hidden_size, config.layer_norm_eps
        self.norms = nn.ModuleList([LayerNorm(h, eps) for _ in range(3)])
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = CrossAttention(config)
        self.feed_forward = FeedForward(config)
        past = torch.ones(256, 256, dtype=torch.bool).tril()
        self.register_buffer("past", past[None], persistent=False)

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.size(1)
        one, two, three = self.norms
        x = hidden_state
        x = x + self.self_attention(one(x), self.past[:, :n, :n])
        x = x + self.cross_attention(two(x), memory, memory_mask)
        x = x + self.feed_forward(three(x))
        return x
