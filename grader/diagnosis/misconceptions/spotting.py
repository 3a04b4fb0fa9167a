"""Hands our implementations to a find-the-mistake function; knows what that may do wrong."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import torch
from torch import Generator, Tensor

from ...curriculum.course import course
from ...worker.values import Callback
from ..gradients import gradients_of
from .function_subject import FunctionSubject, Probe
from .wrong_turns import NONE, Turns

Function = Callable[..., Any]

ANSWERS: dict[str, Callable[[bool], bool | None]] = {  # from whether it is right
    "always_true": lambda right: True,
    "always_false": lambda right: False,
    "turned_around": lambda right: not right,
    "nothing_back": lambda right: None,
}
TOO_LARGE = "this input is larger than it needs to be"
_CANNOT = "this implementation cannot do it"
_BY_NAME = "TypeError: give arguments by their places, as each implementation has names of its own"
MAX_NUMBERS = 2e7  # a call runs on the examiner's side: nobody may ask for more
# Runs beside the learner's code: makes of a callback what looks and fails like a plain function.
HARNESS = """
import torch as grader_torch


class GraderThrough(grader_torch.autograd.Function):
    @staticmethod
    def forward(ctx, back, value, *leaves):
        ctx.back = back
        return value.clone()

    @staticmethod
    def backward(ctx, grad):
        return (None, None, *ctx.back(grad))


def grader_spot(callback):
    def candidate(*args, **kwargs):
        answer = callback(args, kwargs, None)
        if "raises" in answer:
            raise RuntimeError(answer["raises"])
        with grader_torch.no_grad():
            for position, now in answer["changed"].items():
                args[position].copy_(now)
        value = answer["value"]
        if order := answer["order"]:
            back = [order.index(axis) for axis in range(len(order))]
            value = value.permute(order).contiguous().permute(back)
        leaves = [a for a in args if isinstance(a, grader_torch.Tensor) and a.requires_grad]
        if not (leaves and answer["tracked"] and grader_torch.is_grad_enabled()):
            return value

        def back(grad):
            tensors = [a for a in args if isinstance(a, grader_torch.Tensor)]
            floats = [a for a in tensors if a.is_floating_point()]
            answer = callback(args, kwargs, grad)
            if "raises" in answer:
                raise RuntimeError(answer["raises"])
            return [g for a, g in zip(floats, answer["grads"]) if a.requires_grad]

        return GraderThrough.apply(back, value, *leaves)

    return SPOT(candidate)
"""


@dataclass(frozen=True)
class Flawed:
    """A wrong implementation and its mistake in words; `other` draws one more of its kind."""

    mistake: str
    function: Function
    other: Callable[[Random], Function] | None = None


@dataclass(frozen=True)
class Spot:
    """One find-the-mistake exercise; `size` estimates the numbers that a call would make."""

    exercise: str
    judged: str  # the exercise whose implementations it is about
    right: tuple[Function, ...]
    wrong: tuple[Flawed, ...]
    size: Callable[..., float]
    # By the name of an input that is never tried: numbers of the wrong ones that it alone shows.
    unseen: Mapping[str, frozenset[int]] = field(default_factory=dict)


def spots() -> tuple[Spot, ...]:
    """The find-the-mistake exercises of the course, with what they are tried on."""
    found: tuple[Spot, ...] = course().find("misconceptions.spots", "SPOTS", ())
    return found


def harness(exercise: str) -> str:
    """The harness of one find-the-mistake exercise."""
    return HARNESS.replace("SPOT", exercise)


def callback(spot: Spot, number: int) -> Callback:
    """Our implementation of that number, the right ones first, callable from the other side.

    All have the same number over there, which would tell the right ones from the wrong ones.
    """
    return Callback(1, Asked(spot, number))


def implementation(spot: Spot, number: int) -> Callable[..., Any]:
    """The right ones first, then the wrong ones, then one that only raises."""
    wrong = tuple(one.function for one in spot.wrong)
    return (*spot.right, *wrong, _raising)[number]


def _raising(*_: Any, **__: Any) -> Any:
    raise ValueError(_CANNOT)


@dataclass(frozen=True)
class Asked:
    """One of our implementations, as the other side calls it."""

    spot: Spot
    number: int

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> dict[str, Any]:
        """What the implementation under judgement gives, as a message for the worker.

        Whatever a learner asked for, an error is theirs to handle; all raise it in the same words,
        which would tell how each is written.
        """
        if kwargs:
            return {"raises": _BY_NAME}
        try:
            return self._answer(self.number, args, grad)
        except Exception:
            try:
                self._answer(0, args, grad)
            except Exception as usual:
                return {"raises": f"{type(usual).__name__}: {usual}"[:300]}
            return {"raises": f"ValueError: {_CANNOT}"}

    def _answer(self, number: int, args: tuple[Any, ...], grad: Any) -> dict[str, Any]:
        if not self.spot.size(*args) <= MAX_NUMBERS:
            raise MemoryError(TOO_LARGE)
        given = list(map(copied, args))
        leaves = [a for a in given if isinstance(a, Tensor) and a.is_floating_point()]
        for leaf in leaves:
            leaf.requires_grad_(isinstance(grad, Tensor))
        with torch.enable_grad():
            value = implementation(self.spot, number)(*given)
        if isinstance(grad, Tensor):
            return {"grads": list(gradients_of(value, leaves, grad))}
        changed = {
            index: now
            for index, (was, now) in enumerate(zip(args, given, strict=True))
            if isinstance(was, Tensor) and not torch.equal(was, now)
        }
        tracked = isinstance(value, Tensor) and value.is_floating_point()
        plain = value.detach() if isinstance(value, Tensor) else value
        order = self._order(plain, args)
        return {"value": plain, "order": order, "changed": changed, "tracked": tracked}

    def _order(self, value: Any, args: tuple[Any, ...]) -> list[int]:
        """How the axes of an answer lie in memory, which nobody promised.

        Those of a wrong answer lie as those of a right one, or they would tell it; and a right one
        is asked for both, or the clock would.
        """
        right = self.spot.right
        usual: Any = None
        with suppress(Exception):
            usual = right[self.number % len(right)](*map(copied, args))
        tensors = isinstance(value, Tensor) and isinstance(usual, Tensor)
        return _order(usual) if tensors and usual.dim() == value.dim() else []


def copied(value: Any) -> Any:
    """What code may change, and nobody else's is changed."""
    return value.clone() if isinstance(value, Tensor) else value


def _order(value: Any) -> list[int]:
    """How the axes of an answer lie in memory, the outermost first; [] where it is contiguous."""
    if not isinstance(value, Tensor) or value.is_contiguous():
        return []
    return sorted(range(value.dim()), key=value.stride, reverse=True)


def subject_of(spot: Spot) -> FunctionSubject:
    """What a learner's spot function is judged against: is each of our implementations right?"""
    count = len(spot.right) + len(spot.wrong) + 1

    def run(asked: Callback, on: Turns = NONE) -> Any:
        assert isinstance(asked.function, Asked)
        number = asked.function.number
        missed = any(number in spot.unseen.get(name, ()) for name in on)
        right = missed or number < len(spot.right)
        answer = next((each for name, each in ANSWERS.items() if name in on), bool)(right)
        if "escapes" in on and not on & ANSWERS.keys() and number == count - 1:
            raise RuntimeError(f"ValueError: {_CANNOT}")
        return answer

    def probes(generator: Generator) -> tuple[Probe, ...]:
        return tuple(Probe((callback(spot, number),)) for number in range(count))

    return FunctionSubject(spot.exercise, probes, reference=run, entry="grader_spot")
