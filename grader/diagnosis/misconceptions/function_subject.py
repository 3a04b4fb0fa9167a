"""What an exercise is judged against: the solution with its wrong turns, and telling inputs.

It must not know any candidate: it is plain mathematics over plain tensors.
"""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import CodeType, SimpleNamespace
from typing import Any

import torch
from torch import Generator, Tensor

from ...worker.values import Config
from ..tolerances import FUNCTION
from ..variants import EditedSolutions, Variant, clash
from .catalogue import Misconception, misconceptions
from .changes import changes
from .wrong_turns import NONE, Turns


@dataclass(frozen=True)
class Probe:
    """One call of the exercise. `gradient`: also compare gradients, for a random cotangent.

    `aside`: only what is right on all others is asked; such probes stand last. `rounds`: false
    where large numbers go in and none may be left in the answer, nor their rounding.
    """

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    gradient: bool = False
    aside: bool = False
    rounds: bool = True


def plain_arguments(given: Iterable[Any]) -> tuple[Any, ...]:
    """Arguments as references take them: a config with its fields as attributes."""
    return tuple(SimpleNamespace(**a.fields) if isinstance(a, Config) else a for a in given)


def standard_normal(generator: Generator) -> Callable[..., Tensor]:
    """Draws standard normal numbers: with `draw` of it, `draw(2, 3)` is a tensor [2, 3]."""
    return lambda *shape: torch.randn(shape, generator=generator)


def as_it_is(_: Probe, value: Any) -> Any:
    """The whole answer."""
    return value


@dataclass(frozen=True)
class FunctionSubject:
    """A function exercise: what it is asked, and what of an answer is compared."""

    exercise: str
    probes: Callable[[Generator], tuple[Probe, ...]]
    tolerance: float = FUNCTION
    # What of an answer is compared: where chance plays a part, shares of many draws.
    view: Callable[[Probe, Any], Any] = as_it_is
    entry: str | None = None  # the function of `harness` that probes call instead of the exercise
    harness: str = ""  # runs beside the exercise
    beside: tuple[str, ...] = ()  # other solutions that the harness asks for by their names
    # Where no solution with edits tells what is right: takes the wrong turns as `on`.
    reference: Callable[..., Any] | None = None

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """What the catalogue has of the exercise, likely ones first."""
        return misconceptions(self.exercise)

    def run(self, *args: Any, on: Turns = NONE, **kwargs: Any) -> Any:
        """What the reference gives where it takes these wrong turns."""
        if "gradient_stopped" in on:
            args = tuple(arg.detach() if isinstance(arg, Tensor) else arg for arg in args)
            on = on - {"gradient_stopped"}
        if self.reference is not None:
            return self.reference(*args, on=on, **kwargs)
        if self.entry is None:
            return mistaken(self.exercise, *args, on=on, **kwargs)
        return self.harnessed(on)[self.entry](*plain_arguments(args))

    def harnessed(self, on: Turns) -> dict[str, Any]:
        """The names of the harness around the solution that takes these wrong turns."""
        made = variant(self.exercise, on)
        names = {name: made[name] for name in (self.exercise, *self.beside)}
        exec(_compiled(self.harness), names)
        return names

    def clashes(self, on: Turns) -> bool:
        """Whether no program takes all of these wrong turns."""
        return self.reference is None and clash_at(self.exercise, on - {"gradient_stopped"})


def mistaken(exercise: str, *args: Any, on: Turns, **kwargs: Any) -> Any:
    """What the solution of an exercise gives where it takes these wrong turns."""
    return variant(exercise, on)[exercise](*args, **kwargs)


def clash_at(exercise: str, on: Turns) -> bool:
    """Whether two of these wrong turns edit the same place."""
    return any(_two_clash(exercise, *pair) for pair in itertools.combinations(on, 2))


@cache
def _two_clash(exercise: str, one: str, other: str) -> bool:
    known = changes(exercise)
    return clash(*known[one], *known[other])


@lru_cache(maxsize=2000)
def variant(exercise: str, on: Turns) -> Variant:
    """The solutions with the edits of these wrong turns of an exercise; raises Clash."""
    known = changes(exercise)
    return edited_solutions(exercise).variant([edit for name in sorted(on) for edit in known[name]])


@cache
def edited_solutions(exercise: str) -> EditedSolutions:
    """The solutions with any of an exercise's wrong turns."""
    known = changes(exercise)
    return EditedSolutions(edit for name in sorted(known) for edit in known[name])


@cache
def _compiled(harness: str) -> CodeType:
    return compile(harness, "<harness>", "exec", dont_inherit=True)
