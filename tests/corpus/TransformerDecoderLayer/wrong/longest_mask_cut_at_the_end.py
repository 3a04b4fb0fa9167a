# wrong: the causal mask of the longest call is kept, and shorter ones get its last rows
# named: earlier_call_counts
import torch
from torch import nn

class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.own = MultiHeadAttention(config)
        self.other = CrossAttention(config)
        self.mlp = FeedForward(config)
        self.a, self.b, self.c = [LayerNorm(config.hidden_size, config.layer_norm_eps) for _ in range(3)]
        self.past = causal_mask(1)

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.shape[1]
        if len(self.past) < n:
            self.past = causal_mask(n)
        mask = self.past[len(self.past) - n:, :n]
        x = hidden_state
        x = x + self.own(self.a(x), mask[None])
        x = x + self.other(self.b(x), memory, memory_mask)
        return x + self.mlp(self.c(x))
