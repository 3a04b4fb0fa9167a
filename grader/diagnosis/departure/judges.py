"""What a judge of implementations asks each of them, says of them, and where it errs.

It knows the implementations that are judged, and no other exercise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import Candidate, CandidateError
from ...candidate.message import Place
from ...worker.trail import MAX_EVENTS, RETURN
from ...worker.values import Callback
from ..misconceptions.spots import SPOTS, Spot
from ..misconceptions.spotting import Asked, implementation
from .departed import Departed
from .kinds import wrong_kind
from .recording import Event, RecordedStatement, Recording, record

_MOST_RECORDED = 3  # on which it errs
_MOST_CALLS = 40
_MOST_NUMBERS = 20_000  # of all that it asks one implementation
_CALLED = ("function", "method", "partial")  # the types of what is judged, and of helpers
_ENTRY = {"name": "grader_spot"}
_CONSTANTS = {"return True": True, "return False": False}
_CLEAR = 100.0  # times as far apart as right ones are: a judge should see that
_ROUNDING = 1e-6
_SEEN = 1e-4  # between two answers, as a share of their size
ASKED = "asked"  # the mistake is in what it asks
HEARD = "heard"  # what it asks is good: the mistake is in what it makes of the answers


@dataclass(frozen=True)
class Listening:
    """One of our implementations, which keeps what it is asked."""

    asked: Asked
    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> Any:
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
        return self.said is not self.is_right

    @property
    def is_verdict(self) -> bool:
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


def errors(candidate: Candidate) -> list[Judged]:
    """Those of which it says what is not so; what tells more stands first."""
    if "judged" not in candidate.memory:
        spot = _spot(candidate.exercise)
        candidate.memory["judged"] = [
            ask(candidate, number) for number in range(len(spot.right) + len(spot.wrong) + 1)
        ]
    found = [one for one in candidate.memory["judged"] if one.is_error]
    return sorted(found, key=lambda one: (one.is_verdict, not one.is_right))


def judge_recordings(candidate: Candidate) -> list[Recording]:
    """What its lines do on implementations on which it errs."""
    found = [_recorded(candidate, one) for one in errors(candidate)[:_MOST_RECORDED]]
    return [one for one in found if one is not None]


def judge_departures(candidate: Candidate) -> Sequence[Departed | None]:
    """The line that gives back no verdict, or one that is wrong for all who get there."""
    wrong = errors(candidate)
    kinds = [each for each in wrong if not each.is_verdict][:_MOST_RECORDED]
    if found := [each for each in (_of_kind(candidate, one) for one in kinds) if each is not None]:
        return found
    if one := _separating(candidate, wrong):
        return [one]
    raising = (_caught(candidate, one) for one in wrong[:_MOST_RECORDED])
    return [each for each in raising if each is not None] or _unheeded(
        candidate, [one for one in wrong if not one.is_right]
    )


def _unheeded(candidate: Candidate, passed: Sequence[Judged]) -> Sequence[Departed]:
    """The only line that looks at what another answer shows, and makes the same of it."""
    good = next((each for each in candidate.memory["judged"] if not each.is_error), None)
    right = None if good is None or good.said is not True else _recorded(candidate, good)
    if right is None or not passed or passed[0].said is not True:
        return []
    found: list[Departed] = []
    for one in passed:
        if len(found) < _MOST_RECORDED and fault(candidate, one) == HEARD:
            mine = _recorded(candidate, one)
            lost = None if mine is None else only_loss(mine, right)
            if mine is None or lost is None:
                return []
            found.append(Departed(mine, lost, None, "unheeded"))
    return found


def only_loss(mine: Recording, right: Recording) -> int | None:
    """The event of the one line in which all ends that differs between two calls."""
    if len(mine.events) != len(right.events):
        return None
    differing: dict[int, set[str]] = {}  # names by frame
    lost: dict[Place, int] = {}
    held: set[str] = set()
    asking: dict[Place, int] = {}
    for index, (one, other) in enumerate(zip(mine.events, right.events, strict=True)):
        statement = mine.statements[one.statement]
        if (one.kind, statement) != (other.kind, right.statements[other.statement]):
            return None
        names = differing.setdefault(one.frame, set())
        is_read = not names.isdisjoint(statement.reads)
        changed = {n for n, v in one.writes.items() if apart(v, other.writes.get(n)) > _SEEN}
        names.difference_update(one.writes)
        names.update(changed)
        if is_read and not changed:
            lost.setdefault(statement.place, index)
        elif not held.isdisjoint(statement.reads) and (statement.body or one.kind == "return"):
            asking.setdefault(statement.place, index)
        held |= _functions(one)
    if not any(differing.values()) and not lost:
        lost = asking  # it looks at once at what comes back
    return next(iter(lost.values())) if len(lost) == 1 else None


def _functions(event: Event) -> set[str]:
    """The names under which what is judged may be called from here on."""
    return {n for n, v in event.writes.items() if getattr(v, "type_name", "") in _CALLED}


def _of_kind(candidate: Candidate, one: Judged) -> Departed | None:
    mine = _recorded(candidate, one)
    if mine is None:
        return None
    found = wrong_kind(mine, [True], None)
    end = _end(mine)
    if found is None and end is not None and not one.calls and mine.events[end].writes:
        return Departed(mine, end, None, "kind")  # before it has asked anything
    return found


def _separating(candidate: Candidate, wrong: Sequence[Judged]) -> Departed | None:
    """A verdict that only those come to of whom it is wrong."""
    if not wrong or len({each.said for each in wrong if each.is_verdict}) != 1:
        return None
    if not all(each.is_verdict for each in wrong):
        return None
    first = _recorded(candidate, wrong[0])
    end = None if first is None else _end(first)
    if first is None or end is None:
        return None
    statement = first.statements[first.events[end].statement]
    if _CONSTANTS.get(statement.source) is not wrong[0].said:
        return None
    for other in candidate.memory["judged"]:
        if other.said is not wrong[0].said or other.is_error:
            continue
        mine = _recorded(candidate, other)
        last = None if mine is None else _end(mine)
        if mine is None or last is None:
            return None
        if mine.statements[mine.events[last].statement].place == statement.place:
            return None
    why = "passed" if wrong[0].said else "rejected"
    return Departed(first, end, None, why, is_sure=True)


def _caught(candidate: Candidate, one: Judged) -> Departed | None:
    """The line that raises in a judge that takes any exception for a mistake."""
    if not one.is_right or _answers(candidate, one) is None:
        return None
    mine = _recorded(candidate, one)
    if mine is None:
        return None
    events = mine.events
    for index, event in enumerate(events):
        is_handler = event.kind == "line" and not mine.statements[event.statement].source
        if not is_handler or not index:
            continue
        while index > 1 and events[index - 1].kind == "raise" and events[index - 2].kind == "raise":
            index -= 1
        if mine.statements[events[index - 1].statement].source:
            return Departed(mine, index - 1, None, "caught")
    return None


def _end(mine: Recording) -> int | None:
    """The event with which it gives its verdict."""
    ends = [i for i, each in enumerate(mine.events) if each.kind == "return" and not each.caller]
    return ends[0] if ends and RETURN in mine.events[ends[0]].writes else None


def _recorded(candidate: Candidate, one: Judged) -> Recording | None:
    key = f"judged {one.number}"
    if key not in candidate.memory:
        candidate.stay_in_time()
        given = (Callback(1, Asked(_spot(candidate.exercise), one.number)),)
        candidate.memory[key] = record(candidate, _ENTRY, given, {})
    found: Recording | None = candidate.memory[key]
    return found


def _spot(exercise: str) -> Spot:
    return next(spot for spot in SPOTS if spot.exercise == exercise)


def fault(candidate: Candidate, one: Judged) -> str | None:
    """Whether it errs in what it asks, or in what it makes of the answers; None where unclear."""
    if not one.calls or not one.is_verdict:
        return None
    spot = _spot(candidate.exercise)
    answers = _answers(candidate, one)
    if one.is_right:
        return ASKED if answers is None else HEARD
    if answers is None:
        return None
    own = implementation(spot, one.number)
    shares = []
    for args, right in zip(one.calls, answers, strict=True):
        mine = _answer(own, args)
        if mine is None:
            return HEARD
        room = max(max(apart(right[0], other) for other in right), _ROUNDING)
        shares.append(min(apart(other, mine) for other in right) / room)
    if max(shares) > _CLEAR:
        return HEARD
    return ASKED if max(shares) < 2 else None


def _answers(candidate: Candidate, one: Judged) -> list[list[Any]] | None:
    """What right implementations answer to each call; None where they disagree, or raise."""
    key = f"answers {one.number}"
    if key not in candidate.memory:
        candidate.memory[key] = _agreed(_spot(candidate.exercise), one.calls)
    found: list[list[Any]] | None = candidate.memory[key]
    return found


def _agreed(spot: Spot, calls: Sequence[tuple[Any, ...]]) -> list[list[Any]] | None:
    found = []
    for args in calls:
        answers = [_answer(function, args) for function in spot.right]
        if any(each is None for each in answers):
            return None
        if max(apart(answers[0], each) for each in answers) > 1e-2:
            return None
        found.append(answers)
    return found


def _answer(function: Any, args: tuple[Any, ...]) -> list[Any] | None:
    """What it gives, and what it makes of its arguments; None where it raises."""
    given = list(map(_copy, args))
    try:
        with torch.no_grad():
            return [function(*given), *given]
    except Exception:
        return None


def apart(one: Any, other: Any) -> float:
    """How far two answers are apart, as a share of their size."""
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
        return value.detach().clone() if value.numel() <= _MOST_NUMBERS else value
    return dict(value) if isinstance(value, dict) else value


class JudgeProspects:
    """Whether a changed judge is right where it erred, by a change of the kind that it needs."""

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        wrong = errors(candidate)
        self._wrong = [(one, fault(candidate, one)) for one in _few(wrong)]
        right = [one for one in candidate.memory["judged"] if not one.is_error]
        self._kept = [one.number for one in _few(right)]
        self._mine = _recorded(candidate, wrong[0]) if wrong else None
        self.moved = 0.0  # the share of what is asked that is another than before

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
            held |= _functions(event)
            statement = mine.statements[event.statement]
            here = after if after or not held.isdisjoint(statement.reads) else before
            if statement not in before:
                here[statement] = None
        parts = [list(after), list(before)]
        return parts[::-1] if any(needed == ASKED for _, needed in self._wrong) else parts

    def are_there(self) -> bool:
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
