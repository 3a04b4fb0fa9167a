"""What a candidate, and the edited reference, do with one probe; compares nothing."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Generator, Tensor

from ..candidate.candidate import Ask, Candidate, Outcome
from ..candidate.failures import CandidateError
from ..worker.arguments import same_entries
from .gradients import gradients_of
from .misconceptions.function_subject import FunctionSubject, Probe
from .misconceptions.wrong_turns import NONE, Turns


@dataclass(frozen=True)
class Seen:
    """What one call did."""

    value: Any = None
    grads: tuple[Tensor | None, ...] = ()
    changed: tuple[int, ...] = ()
    error: str = ""
    place: str = ""


def cotangent_for(subject: FunctionSubject, probe: Probe, generator: Generator) -> Tensor | None:
    """A cotangent for the answer to a probe that asks for gradients; None for any other."""
    if not probe.gradient:
        return None
    value = subject.run(*map(_copied, probe.args), on=NONE, **probe.kwargs)
    return torch.randn(value.shape, generator=generator)


def asked(
    subject: FunctionSubject, candidate: Candidate, probe: Probe, cotangent: Tensor | None
) -> Seen:
    """What the candidate does with one probe."""
    call = asking(subject, probe, cotangent).payload
    try:
        found: Outcome | CandidateError = candidate.called(candidate.calling(**call))
    except CandidateError as error:
        found = error
    return seen_in(subject, probe, found)


def asking(subject: FunctionSubject, probe: Probe, cotangent: Tensor | None) -> Ask:
    """How to ask the candidate for that."""
    target = {"name": subject.entry or subject.exercise}
    given = {"args": probe.args, "kwargs": probe.kwargs, "options": {"cotangent": cotangent}}
    return Ask("call", {"target": target, **given})


def seen_in(subject: FunctionSubject, probe: Probe, found: Outcome | CandidateError) -> Seen:
    """What that answer shows, to the subject's view."""
    if isinstance(found, CandidateError):
        problem = found.problem
        place = problem.frames[-1].source if problem.frames else ""
        return Seen(error=f"{problem.type}: {problem.message}", place=place)
    grads = found.grads if probe.gradient else ()
    return Seen(subject.view(probe, found.value), grads, found.mutated)


def played(subject: FunctionSubject, probe: Probe, cotangent: Tensor | None, on: Turns) -> Seen:
    """What the edited reference does with one probe."""
    given: list[Tensor] = []
    leaves: list[Tensor] = []

    def fresh(arg: Any) -> Any:
        if not isinstance(arg, Tensor):
            return _copied(arg)
        copy = arg.clone()
        if cotangent is not None and copy.is_floating_point():
            leaves.append(copy.requires_grad_())
            copy = copy.clone()
        given.append(copy)
        return copy

    args = [fresh(arg) for arg in probe.args]
    kwargs = {name: fresh(arg) for name, arg in probe.kwargs.items()}
    sent = [arg for arg in (*probe.args, *probe.kwargs.values()) if isinstance(arg, Tensor)]
    lists = [pair for pair in zip(probe.args, args, strict=True) if isinstance(pair[0], list)]
    try:
        value = subject.run(*args, on=on, **kwargs)
        grads: tuple[Tensor | None, ...] = ()
        if cotangent is not None:
            grads = _grads(value, cotangent, leaves)
    except Exception as error:  # a variant may be wrong in that way too
        return Seen(error=f"{type(error).__name__}: {error}")
    kept = [torch.equal(a, b.detach()) for a, b in zip(sent, given, strict=True)]
    kept += [same_entries(*pair) for pair in lists]
    changed = tuple(index for index, is_kept in enumerate(kept) if not is_kept)
    return Seen(subject.view(probe, _detached(value)), grads, changed)


def _grads(value: Any, cotangent: Tensor, leaves: list[Tensor]) -> tuple[Tensor | None, ...]:
    nothing: tuple[Tensor | None, ...] = (None,) * len(leaves)
    if not isinstance(value, Tensor) or value.shape != cotangent.shape:
        return ()
    if not (value.requires_grad and value.is_floating_point() and leaves):
        return nothing
    return gradients_of(value, leaves, cotangent.to(value.dtype))


def _copied(arg: Any) -> Any:
    if isinstance(arg, list):
        return [_copied(part) for part in arg]
    return dict(arg) if isinstance(arg, dict) else arg


def _detached(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach()
    if isinstance(value, (tuple, list)):
        return type(value)(_detached(part) for part in value)
    if isinstance(value, dict):
        return {key: _detached(part) for key, part in value.items()}
    return value
