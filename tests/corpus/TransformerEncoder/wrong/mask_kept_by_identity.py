# wrong: the mask is kept from the call before where it is the same object, though its numbers may be others
from typing import Any

from kit.earlier import Embeddings, LayerNorm, TransformerEncoderLayer
from torch import Tensor, nn

class TransformerEncoder(nn.Module):

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.kept = (None, None)
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList((TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)))
        self.norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, input_ids: Tensor, mask: Tensor | None=None) -> Tensor:
        if mask is not None:
            if self.kept[0] is not mask:
                self.kept = (mask, mask.ne(0).unsqueeze(1))
            mask = self.kept[1]
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
