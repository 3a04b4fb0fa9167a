"""Sets points by hand for `grader override`, and writes the report anew; marks nothing."""

from pathlib import Path

from rich.console import Console

from ..cohort.lock import held
from ..gradebook.overrides import Override
from ..gradebook.store import Gradebook, GradebookError
from ..report.class_report import write_report
from ..report.text import name_of, points
from .console import say


def override(folder: Path, learner: str, exercise: str, new: Override | None, out: Console) -> None:
    """Set points, or let the grader's own count again.

    Raises GradebookError, and Held while a run writes into the folder.
    """
    Gradebook.open(folder).close()  # one that is not there is not made
    with Gradebook.create(folder) as book, held(folder):
        marks = {entry.mark.name: entry.mark for entry in book.entries(learner)}
        if exercise not in marks:
            raise GradebookError(f"{book.path} holds no {exercise} of {name_of(learner)}")
        most = marks[exercise].max_points
        if new is None:
            if not book.remove_override(learner, exercise):
                raise GradebookError(f"nobody has set points of {exercise} for {name_of(learner)}")
        elif 0 <= new.points <= most:
            book.override(new)
        else:
            raise GradebookError(f"{exercise} has from 0 to {points(most)} points")
        book.fold()
    write_report(folder)
    told = "the grader's own points count again"
    if new is not None:
        told = f"{points(new.points)} points from now on"
    say(f"{name_of(learner)}, {exercise}: {told}.", out)
