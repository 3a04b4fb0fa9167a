"""What a module exercise is judged against: building, asking, reading; knows no candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Generator, Tensor

from ..misconceptions.catalogue import Misconception, misconceptions
from ..misconceptions.function_subject import Probe
from ..misconceptions.switches import Switches
from ..tolerances import MODULE
from .held import Part

Layouts = Callable[[Sequence[Part], Switches], Iterator[Any]]


@dataclass(frozen=True)
class ModuleSubject:
    """An exercise that is a module.

    `run(roles, *args, on=frozenset(), **kwargs)` is the reference with switches; `layouts(parts,
    on)` gives the readings of a learner's parts as its roles, likely ones first. `single` is a call
    with one token a sentence, which settles all but queries and keys.
    """

    exercise: str
    arguments: tuple[Any, ...]
    run: Callable[..., Tensor]
    probes: Callable[[Generator], tuple[Probe, ...]]
    layouts: Layouts
    single: Callable[[Generator], Probe] | None = None
    tolerance: float = MODULE
    real: Callable[[Probe], Tensor | None] | None = None
    is_deep: bool = False  # several layers: a reading is dear, so mistakes are sought in few

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """What the catalogue has of the exercise, likely ones first."""
        return misconceptions(self.exercise)

    def focused(self, value: Tensor, probe: Probe) -> Tensor:
        """The answer where it is promised: at real tokens, where `real` tells them from padding."""
        mask = None if self.real is None else self.real(probe)
        if mask is None or value.shape[: mask.dim()] != mask.shape:
            return value
        return value.masked_fill(~mask.view(*mask.shape, *[1] * (value.dim() - mask.dim())), 0.0)
