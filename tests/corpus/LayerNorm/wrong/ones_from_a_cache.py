# wrong: all norms of one width start with the same tensors, from a cache
# named: shared_with_another
from functools import lru_cache

import torch
from torch import Tensor, nn


@lru_cache(maxsize=None)
def constant(size: int, value: float) -> Tensor:
    """Tensors of ones and zeros are needed again and again, so make each only once."""
    return torch.full((size,), value)


class LayerNorm(nn.Module):
    """(x - mean) / sqrt(var + eps) * scale + shift, for every token."""

    def __init__(self, hidden_size: int, eps: float = 1e-12) -> None:
        super().__init__()
        self.scale = nn.Parameter(constant(hidden_size, 1.0))
        self.shift = nn.Parameter(constant(hidden_size, 0.0))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = centred.square().mean(dim=-1, keepdim=True)
        return centred / torch.sqrt(variance + self.eps) * self.scale + self.shift
