# wrong: the doubled memory starts with zeros: what was in it is lost
import torch
from torch import Tensor


class KeyValueCache:
    """Memory for more tokens than there are; doubles when it is full."""

    def __init__(self) -> None:
        self._length = 0
        self._room = 0
        self._keys: Tensor | None = None
        self._values: Tensor | None = None

    def _grow(self, like: Tensor, needed: int, old: Tensor | None) -> Tensor:
        batch, heads, _, width = like.shape
        return like.new_zeros(batch, heads, needed, width)

    def update(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        end = self._length + key.shape[2]
        if end > self._room:
            room = max(16, 2 * end)
            self._keys = self._grow(key, room, self._keys)
            self._values = self._grow(value, room, self._values)
            self._room = room
        self._keys[:, :, self._length : end] = key
        self._values[:, :, self._length : end] = value
        self._length = end
        return self._keys[:, :, :end].clone(), self._values[:, :, :end].clone()
