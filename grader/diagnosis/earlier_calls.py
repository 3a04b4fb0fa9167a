"""Whether a function answers otherwise where it has been called before; knows no right answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from torch import Tensor

from ..candidate.candidate import Candidate
from ..curriculum.syllabus import judges_others
from .function_answers import questions_of
from .misconceptions.function_subject import FunctionSubject, Probe
from .probed import Seen, asked
from .sameness import same_value
from .tolerances import AGAIN

_MOST_ASKED, _MOST_BEFORE = 3, 8  # inputs that are looked at, and others that come before
_TIMES = 4  # so often the same is asked: where chance plays a part, two answers differ


def depends_on_earlier_calls(subject: FunctionSubject, candidate: Candidate, seed: int) -> bool:
    """Whether a call is answered otherwise than as the first one, in processes of their own.

    False where no such process is to be had, where chance plays a part, and of who judges others.
    """
    if candidate.anew is None or judges_others(candidate.exercise):
        return False
    plain = [probe for probe in questions_of(subject, seed).probes if not probe.aside]
    tried = plain[:: max(1, len(plain) // _MOST_ASKED)][:_MOST_ASKED]
    with candidate.anew() as other:
        for probe in plain[:_MOST_BEFORE]:
            if not any(probe is each for each in tried):
                asked(subject, other, probe, None)
        later = [_after_its_likes(subject, other, probe) for probe in tried]
    for probe, after in zip(tried, later, strict=True):
        candidate.stay_in_time()
        with candidate.anew() as other:
            first = _answers(subject, other, probe)
        if _are_alike(first) and _are_alike(after) and not _are_alike([first[0], after[0]]):
            return True
    return False


def _after_its_likes(subject: FunctionSubject, candidate: Candidate, probe: Probe) -> list[Seen]:
    """What is answered to an input once others of its kind have been asked."""
    candidate.stay_in_time()
    for each in _likes(probe):
        asked(subject, candidate, each, None)
    return _answers(subject, candidate, probe)


def _answers(subject: FunctionSubject, candidate: Candidate, probe: Probe) -> list[Seen]:
    """What is answered to one input, several times."""
    return [asked(subject, candidate, probe, None) for _ in range(_TIMES)]


def _are_alike(answers: Sequence[Seen]) -> bool:
    one, *others = answers
    return all(
        bool(each.error) == bool(one.error) and same_value(each.value, one.value, AGAIN)
        for each in others
    )


def _likes(probe: Probe) -> Iterator[Probe]:
    """The same input with something else in one place, and in all places; numbers are larger."""
    args = [_like(each) for each in probe.args]
    for index, other in enumerate(args):
        yield replace(probe, args=(*probe.args[:index], other, *probe.args[index + 1 :]))
    yield replace(probe, args=tuple(args))


def _like(value: Any) -> Any:
    """Something else of the same kind and size; of a number, one that is twice as large."""
    if type(value) is int:
        return 2 * value
    if isinstance(value, Tensor):
        return value.flip(tuple(range(value.dim())))
    if isinstance(value, str | list | tuple):
        return value[::-1]
    if isinstance(value, dict):
        seconds = {key for key in islice(value, 1, None, 2) if isinstance(key, str)}
        return {key + key if key in seconds else key: each for key, each in value.items()}
    return value
