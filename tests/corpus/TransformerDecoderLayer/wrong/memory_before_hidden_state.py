# wrong: the memory comes first
# named: sequences_exchanged
import torch
from torch import nn
class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n1, self.n2, self.n3 = (LayerNorm(config.hidden_size, config.layer_norm_eps) for _ in range(3))
        self.a = MultiHeadAttention(config); self.c = CrossAttention(config); self.f = FeedForward(config)
    def forward(self, memory, hidden_state, memory_mask=None):
        x = hidden_state
        x = x + self.a(self.n1(x), causal_mask(x.shape[1]).unsqueeze(0))
        x = x + self.c(self.n2(x), memory, memory_mask)
        return x + self.f(self.n3(x))
