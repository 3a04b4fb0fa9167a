"""Lines of the class's page, as plain records; knows no page."""

from collections.abc import Sequence
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


def retaught(mistakes: Sequence[MistakeLine]) -> list[tuple[float, str, list[MistakeLine]]]:
    """What costs the class most comes first; the same mistake in several exercises is one.

    Of two that cost the same, the one that more learners made.
    """
    by_words: dict[str, list[MistakeLine]] = {}
    for line in mistakes:
        by_words.setdefault(line.diagnosis.explanation, []).append(line)
    costs = [
        (round(sum(each.lost for each in lines), 2), explanation, lines)
        for explanation, lines in by_words.items()
    ]

    def place(each: tuple[float, str, list[MistakeLine]]) -> tuple[float, int, str]:
        lost, explanation, lines = each
        return -lost, -sum(line.learners for line in lines), explanation

    return sorted(costs, key=place)
