# right: each token's slice is a list entry of its own
import torch
from torch import Tensor


class KeyValueCache:
    def __init__(self) -> None:
        self.tokens: list[tuple[Tensor, Tensor]] = []

    def update(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        for one_key, one_value in zip(key.unbind(dim=2), value.unbind(dim=2)):
            self.tokens.append((one_key, one_value))
        keys = torch.stack([token[0] for token in self.tokens], dim=2)
        values = torch.stack([token[1] for token in self.tokens], dim=2)
        return keys, values
