"""Which lines of somebody's code one call ran, as a worker claims it; judges nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import Line, Place, Quote
from ...curriculum.syllabus import syllabus
from ...submission import REFERENCE
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
class Raised:
    """Where a call ended in an exception, and what the names held there that the line reads."""

    statement: RecordedStatement
    held: Mapping[str, Any]
    shaped: Mapping[str, RecordedStatement]  # what gave them a shape
    problem: Problem


@dataclass(frozen=True)
class Recording:
    """One call: what ran of it, and where it ended in an exception."""

    statements: tuple[RecordedStatement, ...]
    is_cut: bool  # more ran
    raised: Raised | None
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
        known = dict(enumerate(statements))
        problem = None if plain["problem"] is None else Problem.from_value(plain["problem"])
        row, raised = plain["raised"], None
        if problem is not None and row is not None and row["statement"] in known:
            shaped = {name: known[at] for name, at in row["made"].items() if at in known}
            raised = Raised(known[row["statement"]], row["held"], shaped, problem)
        return cls(statements, plain["is_cut"], raised, problem)


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
