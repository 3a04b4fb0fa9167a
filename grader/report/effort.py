"""Counts what the checker has seen of a class: tries, time and weeks; shows nothing."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from statistics import median

from ..gradebook.tries import Tried

_HOUR = 3_600
_MOST_WEEKS = 60


@dataclass(frozen=True)
class Effort:
    """One exercise: learners who tried, tries until passed, hours from first to last try."""

    learners: int
    passed: int
    tries: float | None  # the median of those who passed
    hours: float | None


@dataclass(frozen=True)
class Week:
    """How many exercises passed first in a week, of how many learners."""

    monday: date
    passed: int
    learners: int


def efforts(tried: Iterable[Tried], class_: Collection[str]) -> dict[str, Effort]:
    """By exercise, of the learners of the class."""
    by_exercise: dict[str, list[Tried]] = {}
    for one in tried:
        if one.learner in class_:
            by_exercise.setdefault(one.exercise, []).append(one)
    return {name: _effort(own) for name, own in by_exercise.items()}


def _effort(tried: list[Tried]) -> Effort:
    passed = [one for one in tried if one.is_passed]
    if not passed:
        return Effort(len(tried), 0, None, None)
    hours = median((one.last - one.first).total_seconds() / _HOUR for one in passed)
    return Effort(len(tried), len(passed), median(one.tries for one in passed), hours)


def weeks(tried: Iterable[Tried], class_: Collection[str]) -> list[Week]:
    """Every week from the first that has a pass to the last; none where nobody passed anything."""
    passed: Counter[date] = Counter()
    learners: dict[date, set[str]] = {}
    for one in tried:
        if one.is_passed and one.learner in class_:
            day = one.last.astimezone(UTC).date()
            monday = day - timedelta(days=day.weekday())
            passed[monday] += 1
            learners.setdefault(monday, set()).add(one.learner)
    if not passed:
        return []
    last, first = max(passed), max(min(passed), max(passed) - timedelta(weeks=_MOST_WEEKS - 1))
    found = []
    while first <= last:
        found.append(Week(first, passed[first], len(learners.get(first, ()))))
        first += timedelta(weeks=1)
    return found


def span(hours: float) -> str:
    """A time that people read: 12 min, 3 h, 2 days."""
    if hours < 1:
        return f"{round(hours * 60)} min"
    return f"{round(hours)} h" if hours < 48 else f"{round(hours / 24)} days"
