"""Sets points by hand for `grader override`, and writes the report anew; marks nothing."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..cohort.lock import held
from ..gradebook.overrides import Override
from ..gradebook.store import Gradebook, GradebookError
from ..report.class_report import write_report
from ..report.text import name_of, points


def set_points(folder: Path, new: Override, out: Console) -> None:
    """Set them; raises GradebookError, and Held while a run writes into the folder."""
    _change(folder, new.learner, new.exercise, new)
    message = f"{name_of(new.learner)}, {new.exercise}: {points(new.points)} points from now on."
    out.print(Text(message), soft_wrap=True)


def take_back(folder: Path, learner: str, exercise: str, out: Console) -> None:
    """Let the grader's own points count again; raises GradebookError and Held."""
    _change(folder, learner, exercise, None)
    message = f"{name_of(learner)}, {exercise}: the grader's own points count again."
    out.print(Text(message), soft_wrap=True)


def _change(folder: Path, learner: str, exercise: str, new: Override | None) -> None:
    Gradebook.open(folder).close()  # one that is not there is not made
    with Gradebook.create(folder) as book, held(folder):
        marks = {entry.mark.name: entry.mark for entry in book.entries(learner)}
        if exercise not in marks:
            raise GradebookError(f"{book.path} holds no {exercise} of {name_of(learner)}")
        most = marks[exercise].max_points
        if new is not None and not 0 <= new.points <= most:
            raise GradebookError(f"{exercise} has from 0 to {points(most)} points")
        if new is None and not book.remove_override(learner, exercise):
            raise GradebookError(f"nobody has set points of {exercise} for {name_of(learner)}")
        if new is not None:
            book.override(new)
        book.fold()
    write_report(folder)
