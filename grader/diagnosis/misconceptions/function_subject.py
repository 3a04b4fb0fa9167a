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
from .switches import NONE, Switches


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


def as_it_is(_: Probe, value: Any) -> Any:
    """The whole answer."""
    return value


@dataclass(frozen=True)
class FunctionSubject:
    """A function exercise: `reference(*args, on=frozenset(), **kwargs)` has a switch for each
    known wrong turn but `gradient_stopped`, which all have in common."""

    exercise: str
    reference: Callable[..., Any]
    probes: Callable[[Generator], tuple[Probe, ...]]
    tolerance: float = 1e-5
    # What of an answer is compared: where chance plays a part, shares of many draws.
    view: Callable[[Probe, Any], Any] = as_it_is
    entry: str | None = None  # the harness function that probes call in place of the exercise

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """What the catalogue has of the exercise, likely ones first."""
        return misconceptions(self.exercise)

    def run(self, *args: Any, on: Switches = NONE, **kwargs: Any) -> Any:
        """What the reference with switches gives."""
        if "gradient_stopped" in on:
            args = tuple(arg.detach() if isinstance(arg, Tensor) else arg for arg in args)
        return self.reference(*args, on=on, **kwargs)


def harnessed(
    exercise: str,
    harness: str,
    entry: str,
    made: Callable[[Switches], Any],
    probes: Callable[[Generator], tuple[Probe, ...]],
    tolerance: float = 1e-5,
    view: Callable[[Probe, Any], Any] = as_it_is,
    **beside: Any,
) -> FunctionSubject:
    """An exercise seen through the function `entry` of a harness; `made(on)` is its reference.

    `beside` are other exercises that the harness asks for by their names.
    """

    def run(*args: Any, on: Switches = NONE) -> Any:
        names = {**beside, exercise: made(on)}
        exec(_compiled(harness), names)
        return names[entry](*args)

    return FunctionSubject(exercise, run, probes, tolerance, view, entry)


@cache
def _compiled(harness: str) -> CodeType:
    return compile(harness, "<harness>", "exec", dont_inherit=True)
