"""What an exercise is judged against: switchable reference, telling inputs, known wrong turns.

It must not know any candidate: it is plain mathematics over plain tensors.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from types import CodeType
from typing import Any

import torch
from torch import Generator, Tensor

from .catalogue import Misconception, misconceptions


@dataclass(frozen=True)
class Probe:
    """One call of the exercise. `gradient`: also compare gradients, for a random cotangent."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    gradient: bool = False


def standard_normal(generator: Generator) -> Callable[..., Tensor]:
    """Draws standard normal numbers: with `draw` of it, `draw(2, 3)` is a tensor [2, 3]."""
    return lambda *shape: torch.randn(shape, generator=generator)


@cache
def _compiled(harness: str) -> CodeType:
    return compile(harness, "<harness>", "exec", dont_inherit=True)


def through(harness: str, entry: str, *args: Any, **names: Any) -> Any:
    """What a harness's function reports of our own definitions, which stand beside it by name."""
    exec(_compiled(harness), names)
    return names[entry](*args)


def as_it_is(_: Probe, value: Any) -> Any:
    """The whole answer."""
    return value


@dataclass(frozen=True)
class FunctionSubject:
    """A function exercise: `run(*args, on=frozenset(), **kwargs)` is its reference, switchable."""

    exercise: str
    run: Callable[..., Any]
    probes: Callable[[Generator], tuple[Probe, ...]]
    tolerance: float = 1e-5
    # What of an answer is compared: where chance plays a part, shares of many draws.
    view: Callable[[Probe, Any], Any] = as_it_is
    entry: str | None = None  # the harness function that probes call in place of the exercise

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """What the catalogue has of the exercise, likely ones first."""
        return misconceptions(self.exercise)
