"""The line of a judge that gives back what is not so, by what it does with implementations."""

from __future__ import annotations

from collections.abc import Sequence

from ...candidate.candidate import Candidate
from ...candidate.message import Place
from ...worker.trail import MAX_EVENTS, RETURN
from .departed import Departed
from .judges import (
    ASKED,
    HEARD,
    Judged,
    answers,
    apart,
    called_here,
    errors,
    fault,
    judged,
    recorded,
)
from .kinds import wrong_kind
from .recording import Recording

_MOST_RECORDED = 3  # on which it errs
_CONSTANTS = {"return True": True, "return False": False}
_LOOKS = ("if ", "elif ", "assert ")
_SEEN = 1e-4  # between two answers, as a share of their size


def judge_recordings(candidate: Candidate) -> list[Recording]:
    """What its lines do on implementations on which it errs."""
    found = [recorded(candidate, one) for one in errors(candidate)[:_MOST_RECORDED]]
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
    if found := [each for each in raising if each is not None]:
        return found
    passed = [one for one in wrong if not one.is_right]
    if unheeded := _unheeded(candidate, passed):
        return unheeded
    if len({one.said for one in wrong}) > 1 or not all(one.is_verdict for one in wrong):
        return []
    mistaken = [_mistaken(candidate, one) for one in wrong[:_MOST_RECORDED]]
    return mistaken if None not in mistaken else []


def _unheeded(candidate: Candidate, passed: Sequence[Judged]) -> Sequence[Departed]:
    """The only line that looks at what another answer shows, and makes the same of it."""
    good = next((each for each in judged(candidate) if not each.is_error), None)
    right = None if good is None or good.said is not True else recorded(candidate, good)
    if right is None or not passed or passed[0].said is not True:
        return []
    found: list[Departed] = []
    for one in passed:
        if len(found) < _MOST_RECORDED and fault(candidate, one) == HEARD:
            mine = recorded(candidate, one)
            lost = None if mine is None else only_loss(mine, right)
            if mine is None or lost is None:
                return []
            found.append(Departed(mine, lost, None, "unheeded"))
    return found


def _mistaken(candidate: Candidate, one: Judged) -> Departed | None:
    """Where it asks what does not show who is wrong, or says what the answer did not say."""
    cause, mine = fault(candidate, one), recorded(candidate, one)
    end = None if mine is None else _end(mine)
    if mine is None or end is None or len(mine.events) >= MAX_EVENTS:
        return None
    if cause == HEARD:
        at, why = _last_look(mine, end), "turned" if one.is_right else "missed"
        return None if at is None else Departed(mine, at, None, why)
    if cause != ASKED:
        return None
    held: set[str] = set()
    for index, event in enumerate(mine.events):
        statement = mine.statements[event.statement]
        if event.kind != "call" and not held.isdisjoint(statement.reads):
            return Departed(mine, index, None, "open" if one.is_right else "asked")
        held |= called_here(event)
    return None


def _last_look(mine: Recording, end: int) -> int | None:
    """The event of the line that gives the verdict, or of the last condition before."""
    if mine.statements[mine.events[end].statement].source not in _CONSTANTS:
        return end
    for index in reversed(range(end)):
        if mine.statements[mine.events[index].statement].source.startswith(_LOOKS):
            return index
    return None


def only_loss(mine: Recording, right: Recording) -> int | None:
    """The event of the one line in which all ends that differs between two calls."""
    if len(mine.events) != len(right.events) or len(mine.events) >= MAX_EVENTS:
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
        held |= called_here(one)
    if not any(differing.values()) and not lost:
        lost = asking  # it looks at once at what comes back
    return next(iter(lost.values())) if len(lost) == 1 else None


def _of_kind(candidate: Candidate, one: Judged) -> Departed | None:
    mine = recorded(candidate, one)
    if mine is None:
        return None
    found = wrong_kind(mine, [True], None)
    end = _end(mine)
    if found is None and end is not None:
        is_plain = type(mine.events[end].writes[RETURN]) in (int, float, str, list, tuple, dict)
        if is_plain or not one.calls:  # a count as it is, or before it has asked anything
            return Departed(mine, end, None, "kind")
    return found


def _separating(candidate: Candidate, wrong: Sequence[Judged]) -> Departed | None:
    """A verdict that only those come to of whom it is wrong."""
    if not wrong or len({each.said for each in wrong if each.is_verdict}) != 1:
        return None
    if not all(each.is_verdict for each in wrong):
        return None
    first = recorded(candidate, wrong[0])
    end = None if first is None else _end(first)
    if first is None or end is None:
        return None
    statement = first.statements[first.events[end].statement]
    if _CONSTANTS.get(statement.source) is not wrong[0].said:
        return None
    for other in judged(candidate):
        if other.said is not wrong[0].said or other.is_error:
            continue
        mine = recorded(candidate, other)
        last = None if mine is None else _end(mine)
        if mine is None or last is None:
            return None
        if mine.statements[mine.events[last].statement].place == statement.place:
            return None
    why = "passed" if wrong[0].said else "rejected"
    return Departed(first, end, None, why, is_sure=True)


def _caught(candidate: Candidate, one: Judged) -> Departed | None:
    """The line that raises in a judge that takes any exception for a mistake."""
    if not one.is_right or answers(candidate, one) is None:
        return None
    mine = recorded(candidate, one)
    if mine is None:
        return None
    events = mine.events
    for index, event in enumerate(events):
        is_handler = event.kind == "line" and not mine.statements[event.statement].source
        if not is_handler or not index:
            continue
        at = index - 1
        while at and events[at - 1].kind == "raise":  # it came from further in
            at -= 1
        source = mine.statements[events[at].statement].source
        is_meant = source.startswith(("assert", "raise"))
        return Departed(mine, at, None, "caught") if source and not is_meant else None
    return None


def _end(mine: Recording) -> int | None:
    """The event with which it gives its verdict."""
    ends = [i for i, each in enumerate(mine.events) if each.kind == "return" and not each.caller]
    return ends[0] if ends and RETURN in mine.events[ends[0]].writes else None
