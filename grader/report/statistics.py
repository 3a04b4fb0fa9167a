"""Counts over a class the verdicts and misconceptions of each exercise; shows nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ..candidate.records import SubmissionMarks, Verdict


@dataclass
class ExerciseCount:
    """One exercise over a whole class."""

    chapter: str
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    misconceptions: Counter[str] = field(default_factory=Counter)
    carried: int = 0

    @property
    def begun(self) -> int:
        """How many handed in something for it."""
        idle = self.verdicts[Verdict.MISSING] + self.verdicts[Verdict.NOT_STARTED]
        return self.verdicts.total() - idle


@dataclass
class ClassCount:
    """A whole class; memory grows with the course, never with the class."""

    submissions: int = 0
    points: float = 0.0
    with_problems: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    exercises: dict[str, ExerciseCount] = field(default_factory=dict)
    explanations: dict[str, str] = field(default_factory=dict)

    def add(self, submission: SubmissionMarks) -> None:
        """Count one more learner."""
        self.submissions += 1
        self.points += submission.points
        self.with_problems += bool(submission.problems)
        for mark in submission.marks:
            self.verdicts[mark.verdict] += 1
            row = self.exercises.setdefault(mark.name, ExerciseCount(mark.chapter))
            row.verdicts[mark.verdict] += 1
            row.carried += bool(mark.carried)
            for found in mark.diagnosis:
                row.misconceptions[found.id] += 1
                self.explanations.setdefault(found.id, found.explanation)

    @property
    def chapters_begun(self) -> tuple[str, ...]:
        """Chapters of which anybody handed in anything."""
        return tuple(dict.fromkeys(e.chapter for e in self.exercises.values() if e.begun))


def count_class(submissions: Iterable[SubmissionMarks]) -> ClassCount:
    """Count a class, one learner at a time."""
    counted = ClassCount()
    for submission in submissions:
        counted.add(submission)
    return counted
