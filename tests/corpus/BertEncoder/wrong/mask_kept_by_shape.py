# wrong: a mask is kept and made anew only where the shape changes
# named: earlier_call_counts
from typing import Any

from torch import Tensor, nn


class BertEncoder(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers)
        )
        self._keys: Tensor | None = None

    def _key_mask(self, attention_mask: Tensor) -> Tensor:
        batch, seq = attention_mask.shape
        if self._keys is None or self._keys.shape != (batch, 1, seq):
            self._keys = padding_mask(attention_mask)
        return self._keys.to(attention_mask.device)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
    ) -> Tensor:
        mask = None if attention_mask is None else self._key_mask(attention_mask)
        x = self.embeddings(input_ids, token_type_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
