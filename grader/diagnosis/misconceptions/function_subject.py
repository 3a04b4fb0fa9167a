"""What an exercise is judged against: switchable reference, telling inputs, known wrong turns.

It must not know any candidate: it is plain mathematics over plain tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from torch import Generator

Switches = frozenset[str]


@dataclass(frozen=True)
class Probe:
    """One call of the exercise. `gradient`: also compare gradients, for a random cotangent."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    gradient: bool = False


@dataclass(frozen=True)
class Misconception:
    """A known wrong turn. Its variant is the reference with `switch` thrown, or, where no values
    can show it, `error` is a regular expression that the learner's own exception must match."""

    id: str  # also the name of the switch
    explanation: str  # what the code behaves like, and the effect; never the answer
    question: str  # leads on
    error: str | None = None  # matched against "Type: message" of an exception
    gradient: bool = False  # wrong only in gradients: values are those of the reference
    same_as: tuple[str, ...] = ()  # the same mathematics as these; both are said
    ways: tuple[str, ...] = ()  # switches under which the same mistake has other values


def as_it_is(_: Probe, value: Any) -> Any:
    """The whole answer."""
    return value


@dataclass(frozen=True)
class FunctionSubject:
    """A function exercise: `run(*args, on=frozenset(), **kwargs)` is its reference, switchable."""

    exercise: str
    run: Callable[..., Any]
    probes: Callable[[Generator], tuple[Probe, ...]]
    misconceptions: tuple[Misconception, ...]
    tolerance: float = 1e-5
    # What of an answer is compared: where chance plays a part, shares of many draws.
    view: Callable[[Probe, Any], Any] = as_it_is
