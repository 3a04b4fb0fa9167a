# wrong: the memory that grows is of PyTorch's default dtype
import torch
from torch import Tensor


class _Buffer:
    """Grows by doubling, so that a new token costs no copy of all the old ones"""

    def __init__(self) -> None:
        self.data: Tensor | None = None
        self.used = 0

    def append(self, new: Tensor) -> Tensor:
        batch, heads, count, width = new.shape
        needed = self.used + count
        if self.data is None:
            self.data = new.new_zeros(batch, heads, max(count, 8), width)
        elif needed > self.data.size(2):
            capacity = max(needed, 2 * self.data.size(2))
            larger = torch.zeros(batch, heads, capacity, width, device=new.device)
            larger[:, :, : self.used] = self.data[:, :, : self.used]
            self.data = larger
        self.data[:, :, self.used : needed] = new.detach()
        self.used = needed
        return self.data[:, :, :needed]


class KeyValueCache:
    def __init__(self) -> None:
        self.keys, self.values = _Buffer(), _Buffer()

    def update(self, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        return self.keys.append(key), self.values.append(value)
