"""What each line of somebody's code made in one call, as a worker claims it; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import Line, Place, Quote
from ...curriculum.syllabus import syllabus
from ...submission import REFERENCE
from ...worker.trail import MAX_BYTES, MAX_NUMBERS, size_of
from ...worker.values import Opaque
from ..misconceptions.function_subject import Probe


@dataclass(frozen=True)
class RecordedStatement:
    """One statement of a learner's."""

    place: Place
    function: str
    source: str
    reads: tuple[str, ...]
    sets: tuple[str, ...]

    @property
    def line(self) -> Line:
        """Its place, to be named by its number."""
        return Line(self.place.label, self.place.line)

    @property
    def quote(self) -> Quote:
        """Its words, as the worker says."""
        return self.place.quote(self.source)


@dataclass(frozen=True)
class Event:
    """One statement has run: what it made, by name."""

    frame: int
    kind: str
    statement: int
    writes: Mapping[str, Any]


class Allowance:
    """What is looked at of one recording: no more than an honest worker sends."""

    def __init__(self) -> None:
        self._left = MAX_BYTES

    def kept(self, value: Any) -> Any:
        """The value, or what stands for one that is left out."""
        self._left -= size_of(value)
        is_large = isinstance(value, Tensor) and value.numel() > MAX_NUMBERS
        return Opaque("") if is_large or self._left < 0 else value


@dataclass(frozen=True)
class Recording:
    """One call."""

    statements: tuple[RecordedStatement, ...]
    events: tuple[Event, ...]
    problem: Problem | None

    @classmethod
    def from_value(cls, plain: Mapping[str, Any]) -> Recording:
        """Read what a worker sent, whose form has been checked and whose content has not."""
        statements = tuple(
            RecordedStatement(
                Place(row["label"], row["line"]),
                row["function"],
                row["source"],
                tuple(row["reads"]),
                tuple(row["sets"]),
            )
            for row in plain["statements"]
        )
        left = Allowance()
        events = tuple(
            Event(
                row["frame"],
                row["kind"],
                row["statement"],
                {name: left.kept(value) for name, value in row["writes"].items()},
            )
            for row in plain["events"]
            if 0 <= row["statement"] < len(statements)
        )
        problem = plain["problem"]
        return cls(statements, events, None if problem is None else Problem.from_value(problem))


def record(
    candidate: Candidate, target: Mapping[str, Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Recording | None:
    """One call of the candidate's; None where not even that can be had."""
    try:
        plain = candidate.request(
            "record",
            target=dict(target),
            args=tuple(args),
            kwargs=dict(kwargs),
            skip=skipped(candidate.exercise),
        )
    except CandidateError:
        return None
    return Recording.from_value(plain)


def recorded(candidate: Candidate, target: Mapping[str, Any], probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    return candidate.once(
        "recorded", lambda: record(candidate, target, probe.args, probe.kwargs), probe
    )


def skipped(exercise: str) -> list[str]:
    """What runs inside of these is another exercise's matter."""
    return [REFERENCE, *(name for name in syllabus().names if name != exercise)]
