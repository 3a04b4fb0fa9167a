"""Shows how far a learner is, as HTML and as plain text; knows not how that is found."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ..candidate.records import Verdict
from ..report import wording
from ..report.text import points
from .progress_file import ExerciseProgress

_BAR = 12  # signs


@dataclass(frozen=True)
class Chapter:
    """The exercises of one chapter, in their order."""

    number: str
    title: str
    rows: tuple[ExerciseProgress, ...]

    @property
    def done(self) -> int:
        """How many exercises pass."""
        return sum(row.has_passed for row in self.rows)

    @property
    def is_current(self) -> bool:
        """Some of it was checked or written, and something is left."""
        begun = any(row.verdict or row.state.startswith("written") for row in self.rows)
        return begun and self.done < len(self.rows)

    @property
    def points(self) -> str:
        """How many were earned, of how many."""
        return _points(self.rows)


@dataclass(frozen=True, repr=False)
class Overview:
    """Where a learner is: each exercise in course order, and the one to go on with."""

    rows: tuple[ExerciseProgress, ...]

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The course, chapter by chapter."""
        found = []
        for name, rows in groupby(self.rows, lambda row: row.exercise.chapter):
            title = name[3:].replace("_", " ").capitalize().replace("bert", "BERT")
            found.append(Chapter(name[:2], title, tuple(rows)))
        return tuple(found)

    @property
    def total(self) -> str:
        """All points."""
        return _points(self.rows)

    @property
    def next(self) -> ExerciseProgress | None:
        """What was begun and has not passed, else the first that has not."""
        left = [row for row in self.rows if not row.has_passed]
        begun = [each for each in self.chapters if each.is_current]
        inside = [row for each in begun for row in each.rows if not row.has_passed]
        return next(iter([*inside, *left]), None)

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"Your course: {self.total}. {self.advice}"
        width = max((len(each.title) for each in self.chapters), default=0)
        for each in self.chapters:
            full = each.done * _BAR // len(each.rows)
            bar = "█" * full + "░" * (_BAR - full)
            done = f"{each.done} of {len(each.rows)}"
            yield f"{each.number} {each.title:<{width}}  {bar}  {done} exercises, {each.points}"
            if each.is_current:
                for row in each.rows:
                    yield f"   {sign(row)} {row.exercise.name}: {came_to(row)}"

    @property
    def advice(self) -> str:
        """What to do next, in a sentence."""
        if self.next is None:
            return "Every exercise has passed."
        exercise = self.next.exercise
        return f"Next: {exercise.name}, in chapter {exercise.chapter[:2]}."

    def _repr_html_(self) -> str:
        from ..report.render import render, style

        return render(
            "progress.html", style=style("palette", "card"), course=self, sign=sign, told=came_to
        )


def _points(rows: tuple[ExerciseProgress, ...]) -> str:
    won = sum(row.points for row in rows)
    return f"{points(won)} of {points(sum(row.exercise.points for row in rows))} points"


def sign(row: ExerciseProgress) -> str:
    """A sign for the eye."""
    return wording.SIGNS[row.verdict or Verdict.NOT_STARTED]


def came_to(row: ExerciseProgress) -> str:
    """The state and since when it is known."""
    return f"{row.state} ({row.day})" if row.day else row.state
