# right: self-attention is asked once for each position, of what stands up to it, and no mask is made
import torch
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        make = lambda: LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.norms = nn.ModuleDict({"ff": make(), "cross": make(), "self": make()})
        self.parts = nn.ModuleDict({
            "ff": FeedForward(config), "cross": CrossAttention(config), "self": MultiHeadAttention(config)})

    def look_back(self, y):
        rows = [self.parts["self"](y[:, :end], None)[:, -1:] for end in range(1, y.shape[1] + 1)]
        return torch.cat(rows, dim=1)

    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state + self.look_back(self.norms["self"](hidden_state))
        x = x + self.parts["cross"](self.norms["cross"](x), memory, memory_mask)
        return x + self.parts["ff"](self.norms["ff"](x))
