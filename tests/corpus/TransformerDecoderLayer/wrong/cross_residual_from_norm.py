# wrong: in the middle the sum starts from the normed vectors
# named: second_residual_from_normed
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.own, self.other = MultiHeadAttention(config), CrossAttention(config)
        self.mlp = FeedForward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.hidden_size) for _ in range(3))

    def forward(self, hidden_state, memory, memory_mask=None):
        seen = torch.ones(hidden_state.shape[1], hidden_state.shape[1]).tril()[None]
        h = hidden_state + self.own(self.norms[0](hidden_state), seen)
        h = self.norms[1](h)
        h = h + self.other(h, memory, memory_mask)
        return h + self.mlp(self.norms[2](h))
