"""Says whether chance has a part in an answer; knows no right answer."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from ..candidate.candidate import Candidate, Outcome
from ..candidate.failures import CandidateError
from .function_answers import questions_of
from .misconceptions.function_subject import FunctionSubject, Probe
from .sameness import same_value
from .tolerances import AGAIN


def chance_has_a_say(call: Callable[[int], Outcome]) -> bool:
    """Whether a call comes out by the state of PyTorch's random numbers, and by that alone.

    `call(seed)` asks the same with the numbers in the state of that seed.
    """
    one, other = call(1).value, call(2).value
    if same_value(one, other, AGAIN):
        return False
    return same_value(one, call(1).value, AGAIN)


def draws(subject: FunctionSubject, candidate: Candidate, seed: int) -> bool:
    """Whether chance has a say in a function that promises nothing of chance."""
    if subject.entry is not None:
        return False
    probe = max(questions_of(subject, seed).probes, key=_size)
    target = {"name": subject.exercise}

    def call(state: int) -> Outcome:
        ask = candidate.calling(target, probe.args, probe.kwargs, {"seed": state})
        return candidate.called(ask)

    try:
        return chance_has_a_say(call)
    except CandidateError:
        return False


def _size(probe: Probe) -> int:
    """Of few numbers, chance may spare all; of probes that stand aside, none is asked."""
    given = (*probe.args, *probe.kwargs.values())
    return -1 if probe.aside else sum(each.numel() for each in given if isinstance(each, Tensor))
