# wrong: the mask is a span from the first token to the last
# named: holes_filled
import torch
from torch import Tensor, nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            [TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)]
        )
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def key_mask(self, mask: Tensor) -> Tensor:
        """Works for padding on the left and on the right."""
        ones = mask.long()
        from_left = ones.cumsum(dim=1) > 0
        from_right = ones.flip(1).cumsum(dim=1).flip(1) > 0
        seen = from_left & from_right
        return seen[:, None, :]

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = self.embeddings(input_ids)
        keys = None if mask is None else self.key_mask(mask)
        for layer in self.layers:
            hidden = layer(hidden, keys)
        return self.norm(hidden)
