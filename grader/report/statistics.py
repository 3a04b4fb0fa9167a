"""Counts over a class the verdicts and misconceptions of each exercise; shows nothing."""

from collections import Counter
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, quantiles

from ..candidate.records import SubmissionMarks, Verdict
from .wording import NOT_BEGUN

LEAST = 10  # learners who have begun an exercise: of fewer a correlation says nothing


@dataclass
class ExerciseCount:
    """One exercise over a whole class."""

    chapter: str
    max_points: float
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    misconceptions: Counter[str] = field(default_factory=Counter)
    carried: int = 0
    by_hand: int = 0  # learners whose points a person set
    # Of each who has begun it: the points in it, and those in all others.
    own: list[float] = field(default_factory=list)
    rest: list[float] = field(default_factory=list)

    @property
    def begun(self) -> int:
        """How many handed in something for it."""
        idle = self.verdicts[Verdict.MISSING] + self.verdicts[Verdict.NOT_STARTED]
        return self.verdicts.total() - idle

    @property
    def counts(self) -> bool:
        """Whether anybody has begun it, or was given points for it."""
        return bool(self.begun or self.by_hand)

    @property
    def separation(self) -> float | None:
        """How well it tells those who can do the rest from those who cannot, from −1 to 1.

        None where too few have begun it, or all have the same points.
        """
        if len(self.own) < LEAST:
            return None
        try:
            return correlation(self.own, self.rest)
        except StatisticsError:
            return None


@dataclass(frozen=True)
class Spread:
    """How points are spread over a class."""

    lower: float
    median: float
    upper: float
    bins: list[int]  # how many learners have 0 to 10 %, 10 to 20 %, … of the points


@dataclass
class ClassCount:
    """A whole class; of each learner no more than points stay in memory."""

    submissions: int = 0
    points: list[float] = field(default_factory=list)
    with_problems: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    exercises: dict[str, ExerciseCount] = field(default_factory=dict)
    # Who handed in something for chapters that do not count, and whether nothing else.
    other_chapters: dict[str, bool] = field(default_factory=dict)

    def add(self, submission: SubmissionMarks, times: int = 1) -> None:
        """Count one more learner, or several who handed in the same."""
        self.submissions += times
        self.points += [submission.points] * times
        self.with_problems += times * bool(submission.problems)
        for mark in submission.marks:
            self.verdicts[mark.verdict] += times
            row = self.exercises.setdefault(mark.name, ExerciseCount(mark.chapter, mark.max_points))
            row.verdicts[mark.verdict] += times
            row.carried += times * bool(mark.carried)
            row.by_hand += times * bool(mark.by_hand)
            if mark.verdict not in NOT_BEGUN:
                row.own += [mark.points] * times
                row.rest += [round(submission.points - mark.points, 6)] * times
            for found in mark.diagnosis:
                row.misconceptions[found.id] += times

    @property
    def reachable(self) -> float:
        """The points of all exercises that anybody has begun, or was given points for."""
        return sum(each.max_points for each in self.exercises.values() if each.counts)

    def spread(self) -> Spread:
        """How the points of this class are spread; all zeros where nobody has any."""
        bins, most = [0] * 10, self.reachable
        for each in self.points:
            bins[min(9, int(10 * each / most)) if most else 0] += 1
        won = self.points or [0.0]
        lower, median, upper = quantiles(won, n=4, method="inclusive") if len(won) > 1 else won * 3
        return Spread(lower, median, upper, bins)
