"""What a judge asks implementations and says of them, and where it errs: asking, or hearing.

It knows the implementations that are judged, and no other exercise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...worker.trail import MAX_EVENTS
from ...worker.values import Callback
from ..misconceptions.spotting import Asked, Spot, spots
from ..tolerances import AGAIN
from .recording import Event, RecordedStatement, Recording, record

_MOST_CALLS = 40
_MOST_RECORDED = 3  # on which it errs
_MOST_NUMBERS = 1e6  # that all calls together make, where all right implementations are asked
_CALLED = ("function", "method", "partial")  # the types of what is judged, and of helpers
_ENTRY = {"name": "grader_spot"}
_CLEAR = 100.0  # times as far apart as right ones are: a judge should see that
_DISAGREE = 1e-2  # right ones on what their contract leaves open
ASKED = "asked"  # the mistake is in what it asks
HEARD = "heard"  # what it asks is good: the mistake is in what it makes of the answers


@dataclass(frozen=True)
class Listening:
    """One of our implementations, which keeps what it is asked."""

    asked: Asked
    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> Any:
        """Its answer to one call, which is kept."""
        if not isinstance(grad, Tensor) and len(self.calls) < _MOST_CALLS:
            self.calls.append(tuple(map(_copy, (*args, *kwargs.values()))))
        return self.asked(args, kwargs, grad)


@dataclass(frozen=True)
class Judged:
    """What it said of an implementation; `said` is None where it raised."""

    number: int
    is_right: bool
    said: Any
    calls: Sequence[tuple[Any, ...]]

    @property
    def is_error(self) -> bool:
        """Whether that is not so."""
        return self.said is not self.is_right

    @property
    def is_verdict(self) -> bool:
        """Whether it said right or wrong at all."""
        return type(self.said) is bool


def ask(candidate: Candidate, number: int) -> Judged:
    """Ask it about one implementation."""
    spot = _spot(candidate.exercise)
    listening = Listening(Asked(spot, number))
    try:
        given = (Callback(1, listening),)
        said = candidate.call(_ENTRY, given, {}, {"seed": 0}).value
    except CandidateError:
        said = None
    if isinstance(said, Tensor) and said.numel() == 1:
        said = bool(said)
    return Judged(number, number < len(spot.right), said, listening.calls)


def judged(candidate: Candidate) -> list[Judged]:
    """What it says of each of them; asked once."""
    spot = _spot(candidate.exercise)
    numbers = range(len(spot.right) + len(spot.wrong) + 1)
    return candidate.once("judged", lambda: [ask(candidate, number) for number in numbers])


def errors(candidate: Candidate) -> list[Judged]:
    """Those of which it says what is not so; what tells more stands first."""
    found = [one for one in judged(candidate) if one.is_error]
    return sorted(found, key=lambda one: (one.is_verdict, not one.is_right))


def called_here(event: Event) -> set[str]:
    """The names under which what is judged may be called from here on."""
    return {n for n, v in event.writes.items() if getattr(v, "type_name", "") in _CALLED}


def recorded(candidate: Candidate, one: Judged) -> Recording | None:
    """What its lines do with one of them; recorded once."""

    def followed() -> Recording | None:
        candidate.stay_in_time()
        given = (Callback(1, Asked(_spot(candidate.exercise), one.number)),)
        return record(candidate, _ENTRY, given, {})

    return candidate.once(f"judged {one.number}", followed)


def judge_recordings(candidate: Candidate) -> list[Recording]:
    """What its lines do on implementations on which it errs."""
    found = [recorded(candidate, one) for one in errors(candidate)[:_MOST_RECORDED]]
    return [one for one in found if one is not None]


def _spot(exercise: str) -> Spot:
    return next(spot for spot in spots() if spot.exercise == exercise)


def fault(candidate: Candidate, one: Judged) -> str | None:
    """Whether it errs in what it asks, or in what it makes of the answers; None where unclear."""
    spot = _spot(candidate.exercise)
    if not one.calls or not _is_small(spot, one.calls):
        return None
    known = answers(candidate, one)
    if one.is_right:
        return ASKED if known is None else HEARD
    if known is None:
        return None
    shares = []
    for args, right in zip(one.calls, known, strict=True):
        mine = _answer(spot, one.number, args)
        if mine is None:
            return HEARD
        room = max(max(apart(right[0], other) for other in right), AGAIN)
        shares.append(min(apart(other, mine) for other in right) / room)
    if max(shares) > _CLEAR:
        return HEARD
    return ASKED if max(shares) < 2 else None


def _is_small(spot: Spot, calls: Sequence[tuple[Any, ...]]) -> bool:
    """Whether all implementations can be asked the same in little time."""
    numbers = 0.0
    for args in calls:
        with suppress(Exception):  # what no implementation takes is asked of none
            numbers += spot.size(*args)
    return numbers <= _MOST_NUMBERS


def answers(candidate: Candidate, one: Judged) -> list[list[Any]] | None:
    """What right implementations answer to each call; None where they disagree, or raise."""

    def asked() -> list[list[Any]] | None:
        spot = _spot(candidate.exercise)
        return _agreed(spot, one.calls) if _is_small(spot, one.calls) else None

    return candidate.once(f"answers {one.number}", asked)


def _agreed(spot: Spot, calls: Sequence[tuple[Any, ...]]) -> list[list[Any]] | None:
    found = []
    for args in calls:
        given = [_answer(spot, number, args) for number in range(len(spot.right))]
        if any(each is None or apart(given[0], each) > _DISAGREE for each in given):
            return None
        found.append(given)
    return found


def _answer(spot: Spot, number: int, args: tuple[Any, ...]) -> list[Any] | None:
    """What it gives, and what it makes of its arguments; None where it raises."""
    answer = Asked(spot, number)(args, {}, None)
    return None if "raises" in answer else [answer["value"], list(answer["changed"].items())]


def apart(one: Any, other: Any) -> float:
    """How far two answers are apart, as a share of their size; 2 where they are of other kinds."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        return max((apart(*pair) for pair in zip(one, other, strict=True)), default=0.0)
    if not isinstance(one, Tensor) or not isinstance(other, Tensor):
        return 0.0 if type(one) is type(other) and one == other else 2.0
    if one.shape != other.shape:
        return 2.0
    one, other = one.double(), other.double()
    if not torch.equal(one.isfinite(), other.isfinite()):
        return 2.0
    known = one.isfinite()
    size = 1.0 + float(one[known].abs().max()) if bool(known.any()) else 1.0
    return float((one - other)[known].abs().max()) / size if bool(known.any()) else 0.0


def moved(before: Sequence[tuple[Any, ...]], after: Sequence[tuple[Any, ...]]) -> float:
    """Which share of what it asked it asks no more."""
    if not after:
        return float(bool(before))
    shares = []
    for index, call in enumerate(before):
        share = _moved(call, after[index]) if index < len(after) else 0.0
        shares.append(min(_moved(call, other) for other in after) if share else 0.0)
    return sum(shares) / max(len(shares), 1)


def _moved(before: tuple[Any, ...], after: tuple[Any, ...]) -> float:
    if len(before) != len(after):
        return 1.0
    shares = [_changed(*pair) for pair in zip(before, after, strict=True)]
    return sum(shares) / max(len(shares), 1)


def _changed(before: Any, after: Any) -> float:
    if isinstance(before, Tensor) and isinstance(after, Tensor):
        if before.shape != after.shape or before.dtype != after.dtype:
            return 1.0
        same = (before == after) | ((before != before) & (after != after))
        return 1 - float(same.double().mean()) if same.numel() else 0.0
    if isinstance(before, dict) and isinstance(after, dict):
        other = before.items() ^ after.items()
        return len(other) / max(1, len(before) + len(after))
    return float(type(before) is not type(after) or before != after)


def is_rearranged(before: Sequence[tuple[Any, ...]], after: Sequence[tuple[Any, ...]]) -> bool:
    """Whether the same things are asked in other places."""
    both = list(zip(before, after, strict=False))
    return bool(both) and all(_rearranged(*pair) for pair in both)


def _rearranged(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    left = list(after)
    for each in before:
        index = next((i for i, other in enumerate(left) if not _changed(each, other)), None)
        if index is None:
            return False
        left.pop(index)
    return not left


def _copy(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone()
    return dict(value) if isinstance(value, dict) else value


class JudgeFilter:
    """Whether a changed judge is right where it erred, by a change of the kind that it needs."""

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        wrong = errors(candidate)
        self._wrong = [(one, fault(candidate, one)) for one in _few(wrong)]
        right = [one for one in judged(candidate) if not one.is_error]
        self._kept = [one.number for one in _few(right)]
        self._mine = recorded(candidate, wrong[0]) if wrong else None
        self.moved = 0.0  # the share of what is asked that is another than before

    @property
    def calls(self) -> int:
        """How often it asks one of those on which it errs; at least once."""
        return max([1, *(len(one.calls) for one, _ in self._wrong)])

    @property
    def lines(self) -> list[list[RecordedStatement]] | None:
        """The statements that it comes by where it errs, in two parts: those to change first."""
        mine = self._mine
        if mine is None or len(mine.events) >= MAX_EVENTS:
            return None
        held: set[str] = set()
        before: dict[RecordedStatement, None] = {}
        after: dict[RecordedStatement, None] = {}
        for event in mine.events:
            held |= called_here(event)
            statement = mine.statements[event.statement]
            here = after if after or not held.isdisjoint(statement.reads) else before
            if statement not in before:
                here[statement] = None
        parts = [list(after), list(before)]
        return parts[::-1] if any(needed == ASKED for _, needed in self._wrong) else parts

    def may_pass(self) -> bool:
        """Whether what is in the candidate's place now errs nowhere, by a change of this kind."""
        self.moved = 0.0
        for before, needed in self._wrong:
            now = ask(self._candidate, before.number)
            if now.is_error:
                return False
            share = moved(before.calls, now.calls)
            if needed == HEARD and share and not is_rearranged(before.calls, now.calls):
                return False
            if needed == ASKED:
                more = len(now.calls) - len(before.calls)
                if not share and (more >= 0 if before.is_right else more <= 0):
                    return False
                self.moved = max(self.moved, share)
        return not any(ask(self._candidate, number).is_error for number in self._kept)


def _few(judged: Sequence[Judged]) -> Iterator[Judged]:
    """Few of them, right and wrong ones."""
    yield from [one for one in judged if one.is_right][:2]
    yield from [one for one in judged if not one.is_right][:2]
