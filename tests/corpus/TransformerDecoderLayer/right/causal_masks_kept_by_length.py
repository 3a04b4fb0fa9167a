# right: causal masks kept by their length, which is all that they depend on
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norms = nn.ModuleList(
            nn.LayerNorm(config.hidden_size, config.layer_norm_eps) for _ in range(3)
        )
        self.own, self.other = MultiHeadAttention(config), CrossAttention(config)
        self.think = FeedForward(config)
        self.causal = {}

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.shape[1]
        if n not in self.causal:
            self.causal[n] = torch.ones(1, n, n, dtype=torch.bool).tril()
        causal = self.causal[n].to(hidden_state.device)
        x = hidden_state
        x = x + self.own(self.norms[0](x), causal)
        x = x + self.other(self.norms[1](x), memory, memory_mask)
        return x + self.think(self.norms[2](x))
