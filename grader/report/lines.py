"""Lines of the class's page, as plain records; knows no page."""

from dataclasses import dataclass

from ..candidate.records import Diagnosis


@dataclass(frozen=True)
class Row:
    """A learner on the class's page; `looks` says why a person should look."""

    name: str
    page: str
    points: float
    signs: str  # one for each exercise of the course
    looks: tuple[tuple[str, str], ...]  # a reason, and what more there is to say
    is_absent: bool


@dataclass(frozen=True)
class Who:
    """A learner and their page."""

    name: str
    page: str


@dataclass(frozen=True)
class TimeLine:
    """Learners who were late or have more time, as one sentence says, and why."""

    rows: list[Who]
    said: str
    reason: str


@dataclass(frozen=True)
class RequestLine:
    """A learner's request that waits for an answer."""

    name: str
    page: str
    exercise: str
    text: str
    day: str


@dataclass(frozen=True)
class MistakeLine:
    """A mistake in one exercise, in numbers."""

    exercise: str
    diagnosis: Diagnosis
    learners: int
    lost: float
