# wrong: causal mask squeezed: fails with a single token
from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norms = nn.ModuleList(
            [LayerNorm(config.hidden_size, config.layer_norm_eps) for _ in range(3)]
        )
        self.own = MultiHeadAttention(config)
        self.cross = CrossAttention(config)
        self.ffn = FeedForward(config)

    def forward(self, hidden_state, memory, memory_mask=None):
        causal = causal_mask(hidden_state.shape[1]).to(hidden_state.device).squeeze()
        x = hidden_state + self.own(self.norms[0](hidden_state), causal)
        x = x + self.cross(self.norms[1](x), memory, memory_mask)
        return x + self.ffn(self.norms[2](x))
