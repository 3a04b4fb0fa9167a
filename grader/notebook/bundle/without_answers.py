"""Checks of an exercise what needs no answer: its form, and what holds for every right one."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ...candidate.records import CheckOutcome, CheckResult
from ...worker.problems import problem
from ..reading import label
from ..time_limit import OutOfTime
from .forms import SIZES, Form, Given, unlike

_CALL = "It can be called as the stub says."


class NotStarted(Exception):
    """The exercise is still the stub."""


def look_at(form: Form, exercise: Any) -> tuple[CheckResult, ...]:
    """What was found, check by check; after an exception of the exercise's own nothing follows.

    Raises NotStarted.
    """
    found: list[CheckResult] = []
    try:
        for title, wrong in _Looks(form, exercise).all():
            found.append(_result(title, wrong))
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException as error:
        told = problem(error, "", label)
        if told["kind"] == "not_implemented":
            raise NotStarted from None
        places = [f" ({frame['label']}, line {frame['line']})" for frame in told["frames"][-1:]]
        words = f"It raises {told['type']}{''.join(places)}: {told['message']}"
        found.append(_result(_CALL, words))
    return tuple(found)


def _result(title: str, problem: str) -> CheckResult:
    return CheckResult(title, CheckOutcome.FAILED if problem else CheckOutcome.PASSED, problem)


def _close(one: Tensor, other: Tensor) -> bool:
    """Whether they differ by no more than rounding."""
    return torch.allclose(one.float(), other.float(), rtol=1e-3, atol=1e-4)


@dataclass(frozen=True)
class _Looks:
    """One exercise, and fresh inputs for each call of it."""

    form: Form
    exercise: Any

    def all(self) -> Iterator[tuple[str, str]]:
        """Each title, and what is wrong; an empty text where nothing is."""
        form = self.form
        if form.look is not None:
            yield "It takes and gives what the docstring says.", form.look(self.exercise)
            return
        if problem := self._unbound():
            yield _CALL, problem
            return
        given = self._given()
        kept = {name: value.clone() for name, value in given.items() if isinstance(value, Tensor)}
        function = self._function()
        result = function(**given)
        yield _CALL, ""
        problem = self._other_form(result)
        yield "The result has the shape and dtype of the docstring.", problem
        changed = [name for name, value in kept.items() if not torch.equal(value, given[name])]
        yield "No input is changed.", f"Changed: {', '.join(changed)}." if changed else ""
        if problem:
            return
        yield "Every number is finite.", "" if result.isfinite().all() else "There is nan or inf."
        if form.smooth:
            yield "Gradients flow.", self._no_gradient(function)
        if form.mask:
            everything = {**given, form.mask: torch.ones_like(given[form.mask])}
            is_blind = _close(function(**everything), result)
            problem = "The result is the same with and without what the mask hides."
            yield "The mask makes a difference.", problem if is_blind else ""
        if form.alone:
            yield "Sentences of a batch do not mix.", self._mixed(function, given, result)
        if name := form.moved:
            # No simple order: what is given to learners answers no exercise.
            order = [1, 0, *range(2, result.shape[1])]
            moved = function(**{**given, name: given[name][:, order]})
            problem = f"With two tokens of {name} exchanged, their results are not exchanged."
            does_move = _close(moved, result[:, order])
            yield (
                "Tokens in another order give results in that order.",
                "" if does_move else problem,
            )

    def _unbound(self) -> str:
        """Why the exercise cannot take the stub's arguments, as far as its signature tells."""
        form, callee = self.form, self.exercise
        try:
            if form.made_with is not None:
                inspect.signature(callee).bind(*form.made_with)
                inspect.signature(callee.forward).bind(None, **form.takes)
            else:
                inspect.signature(callee).bind(**form.takes)
        except TypeError as error:
            return f"The stub's arguments are {', '.join(form.takes)}: {error}."
        except (ValueError, AttributeError):
            pass  # no signature to be read; the call itself will tell
        return ""

    def _given(self) -> dict[str, Any]:
        chance = torch.Generator().manual_seed(0)
        takes = self.form.takes
        return {n: v.draw(chance) if isinstance(v, Given) else v for n, v in takes.items()}

    def _function(self) -> Callable[..., Any]:
        """The exercise itself, or a module made of it, as it is when it is not trained."""
        if self.form.made_with is None:
            function: Callable[..., Any] = self.exercise
            return function
        torch.manual_seed(0)
        made = self.exercise(*self.form.made_with)
        return made.eval() if isinstance(made, nn.Module) else made

    def _other_form(self, result: Any) -> str:
        form = self.form
        if not isinstance(result, Tensor):
            return f"The result is no tensor but {type(result).__name__}."
        shape = tuple(SIZES[axis] for axis in (form.gives or "").split())
        return unlike(result, shape, form.dtype, "It")

    def _no_gradient(self, function: Callable[..., Any]) -> str:
        given = self._given()
        leaves = [v for v in given.values() if isinstance(v, Tensor) and v.is_floating_point()]
        if isinstance(function, nn.Module):
            leaves += function.parameters()
        for leaf in leaves:
            leaf.requires_grad_()
        result = function(**given)
        if not result.requires_grad:
            return "The result is cut off from what it was computed from."
        # Weighted, as the sum over a softmax never changes.
        weights = torch.randn(result.shape, generator=torch.Generator().manual_seed(1))
        (result * weights).sum().backward()
        if not any(leaf.grad is not None and leaf.grad.any() for leaf in leaves):
            return "No gradient reaches an input or a parameter."
        if any(leaf.grad is not None and not leaf.grad.isfinite().all() for leaf in leaves):
            return "A gradient is nan or inf."
        return ""

    def _mixed(self, function: Callable[..., Any], given: dict[str, Any], result: Tensor) -> str:
        for row in range(SIZES["b"]):
            one = {n: v[row : row + 1] if isinstance(v, Tensor) else v for n, v in given.items()}
            alone = function(**one)
            if alone.shape != result[row : row + 1].shape:
                return "A batch of one sentence gives a result of another shape."
            if not _close(alone, result[row : row + 1]):
                return f"Sentence {row} gets another result by itself than in the batch."
        return ""
