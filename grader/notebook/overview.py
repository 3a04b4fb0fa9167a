"""Shows how far a learner is, as a map, in lines and in words; knows not how that is found."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from ..candidate.records import Verdict
from ..curriculum.syllabus import syllabus
from ..report import wording
from ..report.text import points
from .guesses import Guess, tally
from .progress_file import ExerciseProgress

_BAR = 12  # signs


@dataclass(frozen=True)
class Chapter:
    """The exercises of one chapter, in their order."""

    name: str
    rows: tuple[ExerciseProgress, ...]

    @property
    def number(self) -> str:
        """Its two digits."""
        return self.name[:2]

    @property
    def title(self) -> str:
        """Its name, to read."""
        return syllabus().title(self.name)

    @property
    def builds_on(self) -> str:
        """The chapters whose exercises its own call, by their digits."""
        used = {syllabus()[each].chapter for row in self.rows for each in row.exercise.uses}
        return ", ".join(sorted(name[:2] for name in used - {self.name}))

    @property
    def state(self) -> tuple[str, str]:
        """How it stands: a tone for colours, and a sign with words that say the same."""
        if self.done == len(self.rows):
            return "passed", "✓ whole"
        if self.is_current:
            return "partial", f"◐ {self.done} of {len(self.rows)}"
        return "idle", "○ not begun"

    @property
    def done(self) -> int:
        """How many exercises pass."""
        return sum(row.has_passed for row in self.rows)

    @property
    def bar(self) -> str:
        """How many exercises pass, drawn and in numbers."""
        full = self.done * _BAR // len(self.rows)
        return f"{'█' * full}{'░' * (_BAR - full)}  {self.done} of {len(self.rows)}"

    @property
    def is_current(self) -> bool:
        """Some of it was checked or written, and something is left."""
        return any(map(_is_begun, self.rows)) and self.done < len(self.rows)

    @property
    def points(self) -> str:
        """How many were earned, of how many."""
        return _points(self.rows)


@dataclass(frozen=True, repr=False)
class Overview:
    """Where a learner is: each exercise in course order, and the one to go on with."""

    rows: tuple[ExerciseProgress, ...]
    here: str = ""  # the chapter that is open
    guesses: tuple[Guess, ...] = ()
    note: str = ""  # on what is not shown

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The course, chapter by chapter."""
        grouped = groupby(self.rows, lambda row: row.exercise.chapter)
        return tuple(Chapter(name, tuple(rows)) for name, rows in grouped)

    @property
    def guessed_here(self) -> tuple[Guess, ...]:
        """What was guessed in the chapter that is open, and measured."""
        return tuple(each for each in self.guesses if each.chapter == self.here and each.is_shown)

    @property
    def tally(self) -> str:
        """How many guesses there were, and what became of them."""
        return tally(self.guesses)

    @property
    def total(self) -> str:
        """All points."""
        return _points(self.rows)

    @property
    def next(self) -> ExerciseProgress | None:
        """What to go on with, of what has not passed.

        In the chapter that is open or behind it; where none is, in one that was begun.
        """
        names = [each.name for each in self.chapters]
        place = names.index(self.here) if self.here in names else None
        begun = [each for each in self.chapters if each.is_current and place is None]
        later = [*self.chapters[place or 0 :], *self.chapters[: place or 0]]
        rows = (row for each in (*begun, *later) for row in each.rows)
        return next((row for row in rows if not row.has_passed), None)

    @property
    def line(self) -> str:
        """The chapter that is open, and what is next."""
        done = (f"{each.title} {each.bar}  " for each in self.chapters if each.name == self.here)
        return f"{''.join(done)}{self.advice}"

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"Your course: {self.total}. {self.advice}"
        width = max((len(each.title) for each in self.chapters), default=0)
        for each in self.chapters:
            here = "  ← you are here" if each.name == self.here else ""
            yield f"{each.number} {each.title:<{width}}  {each.bar} exercises, {each.points}{here}"
            if each.is_current:
                for row in each.rows:
                    yield f"   {sign(row)} {row.exercise.name}: {came_to(row)}"
        yield from filter(None, (self.note, self.tally))
        if self.guessed_here:
            yield "What you guessed in this chapter:"
            yield from (f"   {each.question} {each.result}" for each in self.guessed_here)

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
            "progress.html",
            style=style("palette", "card", "map"),
            course=self,
            sign=sign,
            told=came_to,
        )


def _points(rows: tuple[ExerciseProgress, ...]) -> str:
    won = sum(row.points for row in rows)
    return f"{points(won)} of {points(sum(row.exercise.points for row in rows))} points"


def sign(row: ExerciseProgress) -> str:
    """A sign for the eye."""
    return wording.SIGNS[row.verdict or Verdict.NOT_STARTED]


def came_to(row: ExerciseProgress) -> str:
    """The state, and since when it is known of what was begun."""
    return f"{row.state} ({row.day})" if row.day and _is_begun(row) else row.state


def _is_begun(row: ExerciseProgress) -> bool:
    """Whether something was written."""
    if row.verdict is None:
        return row.state.startswith("written")
    return row.verdict not in wording.NOT_BEGUN
