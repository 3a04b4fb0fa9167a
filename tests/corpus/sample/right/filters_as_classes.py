# right: a small pipeline of dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

NEVER = float("-inf")


@dataclass
class Temperature:
    value: float

    def __call__(self, logits: Tensor) -> Tensor:
        return (logits - logits.amax(dim=-1, keepdim=True)).div(self.value)


@dataclass
class TopK:
    k: int

    def __call__(self, logits: Tensor) -> Tensor:
        keep = torch.zeros_like(logits, dtype=torch.bool)
        keep.scatter_(-1, logits.topk(min(self.k, logits.size(-1))).indices, True)
        return torch.where(keep, logits, NEVER)


@dataclass
class TopP:
    p: float

    def __call__(self, logits: Tensor) -> Tensor:
        chances, order = logits.softmax(-1).sort(-1, descending=True)
        predecessors = chances.cumsum(-1).roll(1, -1)
        predecessors[:, 0] = 0.0
        keep = torch.empty_like(predecessors, dtype=torch.bool).scatter_(-1, order, predecessors < self.p)
        return torch.where(keep, logits, NEVER)


def sample(
    logits: Tensor,
    generator: torch.Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Tensor:
    steps: list[Callable[[Tensor], Tensor]] = [Temperature(temperature)]
    if top_k is not None:
        steps.append(TopK(top_k))
    if top_p is not None:
        steps.append(TopP(top_p))
    for step in steps:
        logits = step(logits)
    return torch.multinomial(logits.softmax(-1), 1, generator=generator).flatten()
