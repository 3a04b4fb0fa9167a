"""The vocabulary of checks: what is wrong and where it differs first; knows no exercise."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ..candidate.candidate import Candidate, Outcome
from ..candidate.message import Choice, Field, Message, known, message_of, say
from ..candidate.records import Difference, Picture
from ..curriculum.references import reference as reference_of
from ..diagnosis.gradients import gradients_of
from ..diagnosis.picture import picture_of
from ..diagnosis.sameness import is_float
from ..diagnosis.tolerances import FUNCTION, GRADIENT, MODULE
from .check import Reference
from .facts import Sizes, describe, differences, kind_of, shown

STABLE = 1e-3  # of a loss, at large logits
SOFT = 1e-3  # at logits near 500, exp(x − logsumexp(x)) differs by 3e-5 from the textbook
HUGE = 2e-2  # at logits near 20000, by 2e-3
_OTHERWISE = (
    "Called where nothing learns, after its tensors held other numbers and have their own again, "
    "it answers otherwise than at first"
)
_RESTLESS = say(
    "Asked twice with the same input, it gives two answers, neither by the formula. Does chance "
    "play a part, or what an earlier call has left?"
)


class Finding(AssertionError):
    """Ends a check with a message for the learner; a plain text counts as somebody else's."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message_of(message)


class Wrong(Finding):
    """The candidate broke a promise."""


def wrong(template: str, *fields: Field) -> Wrong:
    """The candidate broke a promise, in the words of a template and its fields."""
    return Wrong(say(template, *fields))


class Waits(Finding):
    """There is nothing to try before another check passes: blocked, not failed."""

    waits = True


class Mismatch(Wrong):
    """An answer is not the expected one; `differences` are the first places where."""

    def __init__(
        self,
        message: Message,
        differences: tuple[Difference, ...] = (),
        picture: Picture | None = None,
    ) -> None:
        super().__init__(message)
        self.differences = differences
        self.picture = picture

    def and_also(self, detail: Message | None) -> Mismatch:
        """The same with one more sentence, where there is one."""
        message = say("{} {}", self.message, detail) if detail else self.message
        return Mismatch(message, self.differences, self.picture)


def agree(
    got: Any,
    expected: Any,
    tolerance: float = FUNCTION,
    what: str = "",
    sizes: Sizes | None = None,
) -> None:
    """Shape, dtype and values are the expected ones; for trees of plain values: equal.

    `what` was asked for, in the check's own words.
    """
    fact = describe(got, expected, sizes, tolerance)
    if not fact:
        return
    message = say("{}: {}", known(what), fact.lowered()) if what else fact
    if isinstance(expected, Tensor):
        alike = isinstance(got, Tensor) and got.shape == expected.shape
        if not (alike and got.dtype == expected.dtype):
            raise Mismatch(message)
        drawn = picture_of(got, expected, tolerance, sizes)
        raise Mismatch(message, differences(got, expected, tolerance), drawn)
    values = (say("{}", shown(each, 100)) for each in (expected, got))
    raise Mismatch(message, (Difference(known(""), *values),))


def exact(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `function` returns when it counts with 64 bits, rounded to the 32 of its arguments."""
    answer = function(*map(_double, args), **{name: _double(v) for name, v in kwargs.items()})
    is_double = isinstance(answer, Tensor) and answer.dtype == torch.float64
    return answer.float() if is_double else answer


def answers(
    candidate: Candidate,
    reference: Reference,
    *args: Any,
    tolerance: float = FUNCTION,
    what: str = "",
    sizes: Sizes | None = None,
    **kwargs: Any,
) -> Outcome:
    """Call both and compare; the candidate's outcome, where they agree."""
    outcome = candidate.run(*args, **kwargs)
    try:
        agree(outcome.value, exact(reference, *args, **kwargs), tolerance, what, sizes)
    except Mismatch:
        if describe(candidate(*args, **kwargs), outcome.value, None, tolerance):
            raise Wrong(_RESTLESS) from None
        raise
    return outcome


def again(candidate: Candidate, *args: Any) -> None:
    """Two calls with the same arguments agree, also where these held other numbers in between."""
    first, second = candidate(*args), candidate.run(*args, others_first=True).value
    try:
        agree(second, first, what=_OTHERWISE)
    except Mismatch:
        agree(
            candidate(*args), first, what="Called twice on the same input, it answers differently"
        )
        raise


def untouched(candidate: Candidate, *args: Any, contiguous: bool = False) -> None:
    """No tensor argument is changed in place, and how tensors lie in memory makes no difference.

    `contiguous`: the contract promises that they are.
    """
    names = _named(candidate, args)
    outcome = candidate.run(*args)
    if outcome.mutated:
        index = outcome.mutated[0]
        name = names[index] if index < len(names) else f"argument {index}"
        raise wrong(
            "After the call, {} is no longer what it was: it was changed in place, and whoever "
            "uses it next gets the changed numbers.",
            Choice(name, len(names) + 1),
        )
    if not contiguous:
        same_in_memory(candidate.run(*args, strided=True).value, outcome.value)


def same_in_memory(got: Any, plain: Any, tolerance: float = MODULE) -> None:
    """What was made of tensors that lie in memory otherwise is what was made of plain ones."""
    what = "The same numbers, laid out in memory as a transpose leaves them, are answered otherwise"
    agree(got, plain, tolerance, what)


def gradients(
    candidate: Candidate, reference: Reference, *args: Any, generator: torch.Generator
) -> None:
    """For a random cotangent, the gradients of the float arguments are the reference's."""
    names = _named(candidate, args, is_float)
    wide = [_double(arg.detach()) if isinstance(arg, Tensor) else arg for arg in args]
    floats = [arg for arg in wide if isinstance(arg, Tensor) and arg.is_floating_point()]
    for leaf in floats:
        leaf.requires_grad_()
    expected_value = reference(*wide)
    cotangent = torch.randn(expected_value.shape, generator=generator)
    expected = gradients_of(expected_value, floats, cotangent.double())
    outcome = candidate.run(*args, cotangent=cotangent)
    value = outcome.value
    if not isinstance(value, Tensor) or value.shape != expected_value.shape:
        raise wrong("It returns {}; {} was expected.", kind_of(value), kind_of(expected_value))
    for name, got, wanted in zip(names, outcome.grads, expected, strict=True):
        if got is None:
            raise wrong(
                "No gradient reaches {}: somewhere between it and the result the chain of "
                "operations that autograd records is cut.",
                Choice(name, len(names) + 1),
            )
        assert wanted is not None
        agree(got, wanted.float(), GRADIENT * FUNCTION, f"The gradient of {name} is wrong")


def _named(
    candidate: Candidate, args: Sequence[Any], wanted: Callable[[Any], bool] = torch.is_tensor
) -> tuple[str, ...]:
    """What the exercise calls the tensors among arguments, or those that are wanted, in order."""
    names = inspect.signature(reference_of(candidate.exercise)).parameters
    return tuple(name for name, arg in zip(names, args, strict=False) if wanted(arg))


def _double(arg: Any) -> Any:
    return arg.double() if isinstance(arg, Tensor) and arg.dtype == torch.float32 else arg
