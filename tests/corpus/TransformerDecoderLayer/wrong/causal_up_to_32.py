# wrong: causal mask of 32 positions; longer sentences see all
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    block_size = 32

    def __init__(self, config):
        super().__init__()
        width, eps = config.hidden_size, config.layer_norm_eps
        self.attn = MultiHeadAttention(config)
        self.cross = CrossAttention(config)
        self.ff = FeedForward(config)
        self.ln_a, self.ln_c, self.ln_f = LayerNorm(width, eps), LayerNorm(width, eps), LayerNorm(width, eps)
        self.register_buffer("tril", torch.tril(torch.ones(self.block_size, self.block_size)).bool(), persistent=False)

    def past(self, length):
        mask = self.tril.new_ones(length, length)
        if length <= self.block_size:
            mask = self.tril[:length, :length]
        return mask

    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state
        x = x + self.attn(self.ln_a(x), self.past(x.size(1)))
        x = x + self.cross(self.ln_c(x), memory, memory_mask)
        return x + self.ff(self.ln_f(x))
