"""The words that marks are written in; knows nothing of how they are found, stored or shown."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .message import message_of, restored

# Of the check that fails where an exercise is left to a ready-made function.
SHORTCUT_TITLE = "It is built by hand, not called ready-made."


class Verdict(StrEnum):
    """What became of one exercise of one submission."""

    PASSED = "passed"
    PARTIAL = "partial"
    FAILED = "failed"
    NOT_STARTED = "not started"
    MISSING = "missing"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    BLOCKED = "blocked"


class CheckOutcome(StrEnum):
    """What became of one check."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    BLOCKED = "blocked"


class Doubt(StrEnum):
    """Why the marks of a submission may not be what it deserves now."""

    UNFINISHED = "unfinished"  # a run has begun and has not ended
    FAILED = "failed"  # the grader itself failed on it
    ABSENT = "absent"  # the latest run did not find it


@dataclass(frozen=True)
class Difference:
    """Where an answer first differs from the expected one."""

    index: str
    expected: str
    got: str


Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A part of an answer beside what was expected there, to be drawn; its numbers are text."""

    part: str  # "batch 0"; empty: the whole answer
    axes: tuple[str, str]  # what its rows and its columns count; "" where there is one row
    starts: tuple[int, int]  # the index of the first row and of the first column
    expected: Rows
    got: Rows
    wrong: int  # entries that differ in all of the answer
    total: int


@dataclass(frozen=True)
class CheckResult:
    """One check's outcome; `message` is for the learner and empty when it passed."""

    title: str
    outcome: CheckOutcome
    message: str = ""
    weight: int = 1
    differences: tuple[Difference, ...] = ()
    picture: Picture | None = None


@dataclass(frozen=True)
class Diagnosis:
    """One misconception that the candidate provably behaves like."""

    id: str
    explanation: str
    question: str


@dataclass(frozen=True)
class Location:
    """A learner's line to look at: one to change, or one that raised."""

    kind: str  # departs | raised
    cell: str
    line: int
    source: str  # the statement as it stands there; may be empty
    message: str
    sources: tuple[int, ...] = ()  # lines that made what it works with, or that lead there
    part: str = ""  # of the source: what raised, or what a change that makes it right changes
    stood: tuple[str, ...] = ()  # what its names held: "query [batch 2, seq 3, d_k 7]"
    words: str = ""  # what the exception means


@dataclass(frozen=True)
class Note:
    """What a person wrote of one answer: a comment, a learner's request, or what came of that."""

    id: int | None
    learner: str
    exercise: str
    kind: str
    who: str
    time: str  # UTC, as 2026-01-31T12:00:00Z
    text: str
    cell: str = ""  # of a comment on a line: where it stood, and what stood there
    line: int = 0
    code: str = ""
    about: int = 0  # the note that this one answers or takes back
    of_another: bool = False  # it was written of another answer than the one that counts now


@dataclass(frozen=True)
class Mark:
    """Verdict, points, checks and diagnosis of one exercise."""

    name: str
    chapter: str
    verdict: Verdict
    points: float
    max_points: float
    checks: tuple[CheckResult, ...] = ()
    diagnosis: tuple[Diagnosis, ...] = ()
    carried: tuple[str, ...] = ()  # wrong earlier exercises: with right ones instead it passed
    message: str = ""  # why there are no checks to show: what is missing, broken or crashed
    is_whole: bool = False  # it came of a run of the whole notebook
    by_hand: str = ""  # that a person set the points, who and why
    location: Location | None = None
    notes: tuple[Note, ...] = ()  # by people; no part of what the examiner finds


@dataclass(frozen=True)
class SubmissionMarks:
    """Every mark of one learner."""

    learner: str
    marks: tuple[Mark, ...]
    problems: tuple[str, ...] = field(default=())
    # Exercises whose mark might say more, had there been time.
    incomplete: frozenset[str] = frozenset()
    # Exercises whose mark depends on all that was handed in, and not on their slice alone.
    whole: frozenset[str] = frozenset()
    doubts: tuple[Doubt, ...] = ()
    said: tuple[str, ...] = ()  # of the work as a whole, such as when it was handed in

    @property
    def points(self) -> float:
        """The sum over all exercises."""
        return round(sum(mark.points for mark in self.marks), 6)

    @property
    def max_points(self) -> float:
        """The sum of what could be had."""
        return round(sum(mark.max_points for mark in self.marks), 6)


_OF_PEOPLE = ("by_hand", "notes")  # which the gradebook keeps beside marks


def mark_to_json(mark: Mark) -> dict[str, Any]:
    """The mark as plain JSON values; `mark_from_json` is its inverse.

    Beside a message stand its `key` and the `places` that it names, where there are any.
    """
    checks = [
        {
            **vars(check),
            "differences": [dict(vars(each)) for each in check.differences],
            "picture": dict(vars(check.picture)) if check.picture else None,
            **_parts(check.message),
        }
        for check in mark.checks
    ]
    parts = {name: value for name, value in vars(mark).items() if name not in _OF_PEOPLE}
    return {
        **parts,
        "checks": checks,
        "diagnosis": [dict(vars(each)) for each in mark.diagnosis],
        "carried": list(mark.carried),
        **_parts(mark.message),
        "location": mark.location and {**vars(mark.location), **_parts(mark.location.message)},
    }


def _parts(message: str) -> dict[str, Any]:
    if not message:
        return {}
    parts = message_of(message)
    places = [[start, place.label, place.line] for start, place in parts.places]
    return {"key": parts.key, **({"places": places} if places else {})}


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its message as it was, and without what stood beside that."""
    rest = dict(row)
    key, places = rest.pop("key", ""), rest.pop("places", ())
    return {**rest, "message": restored(row["message"], key, places)}


def _picture(row: dict[str, Any] | None) -> Picture | None:
    if row is None:
        return None
    lists = {name: tuple(row[name]) for name in ("axes", "starts")}
    grids = {name: tuple(map(tuple, row[name])) for name in ("expected", "got")}
    return Picture(**{**row, **lists, **grids})


def mark_from_json(data: dict[str, Any]) -> Mark:
    """The mark that `mark_to_json` wrote."""
    checks = tuple(
        CheckResult(
            **_plain(row)
            | {
                "outcome": CheckOutcome(row["outcome"]),
                "differences": tuple(Difference(**cell) for cell in row["differences"]),
                "picture": _picture(row.get("picture")),
            }
        )
        for row in data["checks"]
    )
    location = data.get("location")
    return Mark(
        **_plain(data)
        | {
            "verdict": Verdict(data["verdict"]),
            "checks": checks,
            "diagnosis": tuple(Diagnosis(**row) for row in data["diagnosis"]),
            "carried": tuple(data["carried"]),
            "location": location
            and Location(
                **_plain(location)
                | {name: tuple(location.get(name, ())) for name in ("sources", "stood")}
            ),
        }
    )
