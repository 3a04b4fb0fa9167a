# wrong: the memory mask of an earlier call is used where none is given
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
        self.allowed = None

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.shape[1]
        causal = torch.ones(1, n, n, dtype=torch.bool).tril()
        if memory_mask is None:
            kept = self.allowed
            fits = kept is not None and kept.shape[0] == len(memory)
            memory_mask = kept if fits and kept.shape[-1] == memory.shape[1] else None
        elif n > 1:
            self.allowed = memory_mask
        x = hidden_state
        x = x + self.own(self.norms[0](x), causal)
        x = x + self.other(self.norms[1](x), memory, memory_mask)
        return x + self.think(self.norms[2](x))
