# right: norms of layers and end in one list of 2n + 1, the last norm first in it
import torch
from torch import nn
import torch.nn.functional as F


class Sublayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.attention = nn.MultiheadAttention(d, self.heads, batch_first=True)
        self.network = nn.Sequential(
            nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d)
        )


class TransformerEncoder(nn.Module):
    """Norms in one list of 2n + 1, the last norm first in it; the embeddings' own elsewhere."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_hidden_layers
        self.norms = nn.ModuleList([nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * n + 1)])
        self.layers = nn.ModuleList([Sublayer(config) for _ in range(n)])
        self.embed = nn.ModuleDict(
            {
                "tokens": nn.Embedding(config.vocab_size, d),
                "places": nn.Embedding(config.max_position_embeddings, d),
                "norm": nn.LayerNorm(d, eps=config.layer_norm_eps),
            }
        )

    def forward(self, input_ids, mask=None):
        places = torch.arange(input_ids.size(1), device=input_ids.device)
        x = self.embed["norm"](self.embed["tokens"](input_ids) + self.embed["places"](places))
        hide = None if mask is None else mask == 0
        last, *norms = self.norms
        for i, layer in enumerate(self.layers):
            y = norms[2 * i](x)
            x = x + layer.attention(y, y, y, key_padding_mask=hide, need_weights=False)[0]
            x = x + layer.network(norms[2 * i + 1](x))
        return last(x)
