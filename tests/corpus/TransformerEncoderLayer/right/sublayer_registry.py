# right: plug-in registry by decorator, nn.ModuleDict in order of registration, reduce over (norm, part) pairs; the mask travels in a frozen context dataclass
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from kit.earlier import FeedForward, LayerNorm, MultiHeadAttention
from torch import Tensor, nn

REGISTRY: dict[str, Callable[[Any], nn.Module]] = {}


@dataclass(frozen=True)
class Context:
    mask: Tensor | None


def sublayer(name: str) -> Callable[[type], type]:
    def register(kind: type) -> type:
        REGISTRY[name] = kind
        return kind

    return register


@sublayer("exchange")
class Exchange(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.inner = MultiHeadAttention(config)

    def forward(self, x: Tensor, context: Context) -> Tensor:
        return self.inner(x, context.mask)


@sublayer("think")
class Think(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.inner = FeedForward(config)

    def forward(self, x: Tensor, context: Context) -> Tensor:
        return self.inner(x)


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        self.parts = nn.ModuleDict({name: make(config) for name, make in REGISTRY.items()})
        self.norms = nn.ModuleDict({name: LayerNorm(config.hidden_size) for name in REGISTRY})

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        context = Context(mask)

        def residual(stream: Tensor, name: str) -> Tensor:
            return stream + self.parts[name](self.norms[name](stream), context)

        return reduce(residual, self.parts, x)
