# wrong: x overwritten by its normalised self before each sublayer
# named: first_residual_from_normed, second_residual_from_normed
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    """Overwrites x with its normalised self before each sublayer."""

    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.attention = nn.MultiheadAttention(d, config.num_attention_heads, batch_first=True)
        self.norm1, self.norm2 = (nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2))
        self.expand, self.contract = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)
        self.heads = config.num_attention_heads

    def forward(self, x, mask=None):
        hide = None
        if mask is not None:
            hide = (mask == 0).expand(-1, x.shape[1], -1).repeat_interleave(self.heads, 0)
        x = self.norm1(x)
        x = x + self.attention(x, x, x, attn_mask=hide, need_weights=False)[0]
        x = self.norm2(x)
        return x + self.contract(nn.functional.gelu(self.expand(x)))
