"""Makes a candidate of every executable misconception: the edited reference."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor, nn

from grader.course.misconceptions.spots import SPOTS
from grader.course.modules.module_subjects import module_subject
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.interpretation.module_subject import ModuleSubject
from grader.diagnosis.misconceptions.function_subject import Probe, clash_at, plain_arguments
from grader.diagnosis.misconceptions.registry import function_subject

from .readings import explained, same_as_reference

Turns = frozenset[str]
# What is too small to be told from rounding inside of a layer; FeedForward's own checks see it.
TOO_SMALL = {"gelu_tanh": frozenset({"FeedForward"})}
# Their variants take what only a worker's arguments hold: the tests of their chapters try them.
AS_CODE = {spot.exercise for spot in SPOTS} | {"load_bert_weights"}


@dataclass(frozen=True)
class Variant:
    """One wrong candidate: the object to check, and the wrong turns that it takes."""

    exercise: str
    switches: Turns
    candidate: Any

    @property
    def name(self) -> str:
        return " + ".join(sorted(self.switches))


def turns(exercise: str) -> tuple[Any, ...]:
    """The executable misconceptions of an exercise, likely ones first."""
    subject = function_subject(exercise)
    if subject is not None:
        if exercise in AS_CODE:
            return ()
        return tuple(t for t in subject.misconceptions if t.error is None)
    module = module_subject(exercise)
    assert module is not None
    return tuple(
        turn
        for turn in module.misconceptions
        if turn.error is None and exercise in TOO_SMALL.get(turn.id, {exercise})
    )


def variants(exercise: str, most: int) -> Iterator[Variant]:
    """Up to `most` of an exercise's misconceptions as candidates."""
    for turn in turns(exercise)[:most]:
        yield variant(exercise, frozenset({turn.id}))


def variant(exercise: str, on: Turns) -> Variant:
    """The candidate that takes these wrong turns."""
    subject = function_subject(exercise)
    made: Any
    if subject is not None:
        made = _function(subject.run, on)
    else:
        module = module_subject(exercise)
        assert module is not None
        made = _module(module, on)
    return Variant(exercise, on, made)


def clashes(exercise: str, on: Turns) -> bool:
    """Whether no program takes all of these wrong turns."""
    return clash_at(exercise, on - {"gradient_stopped"})


def _function(run: Callable[..., Any], on: Turns) -> Callable[..., Any]:
    return functools.partial(run, on=on)


def _module(subject: ModuleSubject, on: Turns) -> type[nn.Module]:
    """A class that is the solution's with these wrong turns."""

    class Wrong(nn.Module):
        def __init__(self, *arguments: Any) -> None:
            super().__init__()
            self.inner = subject.made(on, arguments)

        def forward(self, *args: Any) -> Tensor:
            with torch.device(args[0].device):  # ids of its own live where its input lives
                found: Tensor = self.inner(*args)
                return found

    return Wrong


def same_mathematics(exercise: str, one: Turns, other: Turns, seeds: int = 3) -> bool:
    """Whether two sets of switches make the same function, on fresh inputs and weights."""
    for seed in range(seeds):
        first = _answers(exercise, one, torch.Generator().manual_seed(1000 + seed))
        second = _answers(exercise, other, torch.Generator().manual_seed(1000 + seed))
        if not all(map(_alike, first, second)):
            return False
    return True


def no_mistake(made: Variant) -> bool:
    """Whether a variant is the reference after all, perhaps under another reading."""
    if same_mathematics(made.exercise, made.switches, frozenset(), seeds=20):
        return True
    module = module_subject(made.exercise) is not None
    return module and same_as_reference(made.exercise, made.candidate)


def named_rightly(made: Variant, named: Turns) -> bool:
    """Whether other names than its own fit a variant as well; not by what is observed alone."""
    if not named <= {turn.id for turn in turns(made.exercise)}:
        return False
    if same_mathematics(made.exercise, made.switches, named):
        return True
    module = module_subject(made.exercise) is not None
    return module and explained(made.exercise, made.candidate, named)


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        same = one.shape == other.shape and one.dtype == other.dtype
        return same and torch.allclose(one, other, atol=1e-4, equal_nan=True)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def _answers(exercise: str, on: Turns, generator: Generator) -> list[Any]:
    function = function_subject(exercise)
    if function is not None:
        run = functools.partial(function.run, on=on)
        return [_answer(run, probe) for probe in function.probes(generator)]
    subject = module_subject(exercise)
    assert subject is not None
    arguments = plain_arguments(subject.arguments)
    torch.manual_seed(0)
    made = _module(subject, on)(*arguments)
    with torch.no_grad():
        weights = torch.Generator().manual_seed(5)
        for parameter in made.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=weights) * 0.4 + 0.1)
        return [_answer(made, probe) for probe in subject.probes(generator)]


def _answer(run: Callable[..., Any], probe: Probe) -> Any:
    """What comes back; the kind of error where one does."""
    try:
        return run(*copy.deepcopy(probe.args), **probe.kwargs)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:
        return type(error).__name__


def exercises() -> tuple[str, ...]:
    """All exercises that have executable misconceptions here."""
    return tuple(e.name for e in syllabus().exercises if turns(e.name))
