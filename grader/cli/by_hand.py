"""Sets points, comments and answers by hand, and writes the report anew; marks nothing."""

import difflib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from ..candidate.records import Note
from ..cohort.lock import held
from ..gradebook.entries import Entry
from ..gradebook.notes import on_own_lines, open_requests
from ..gradebook.overrides import Override, check_points
from ..gradebook.people import People
from ..gradebook.store import Gradebook, GradebookError
from ..report.class_report import write_report
from ..report.classroom import Classroom, equal_answers, sources
from ..report.text import count, name_of, one_line, points
from ..report.wording import OF_ANOTHER, quoted
from .console import refuse_unknown, say


def set_points(
    folder: Path, learner: str, exercise: str, new: Override | None, alike: bool, out: Console
) -> None:
    """Set points, or let the grader's own count again; `alike`: of all with the same answer.

    Raises GradebookError, and FolderInUse while a run writes into the folder.
    """
    with _open(folder, learner, exercise, alike) as (book, entry, learners):
        check_points(entry.mark, new)
        with book.by_people() as people:
            if new is not None:
                rest = (exercise, new.points, new.reason, new.who)
                people.set_points([Override(name, *rest) for name in learners])
            elif not people.take_back(learners, exercise, "an instructor"):
                raise GradebookError(f"nobody has set points of {exercise} for {name_of(learner)}")
    told = "the grader's own points count again"
    if new is not None:
        told = f"{points(new.points)} {'point' if new.points == 1 else 'points'} from now on"
    say(f"{_whom(learners)}, {exercise}: {told}.", out)


def comment(
    folder: Path, learner: str, exercise: str, note: Note, alike: bool, out: Console
) -> None:
    """Write a comment, on a line where the note names one.

    Raises GradebookError, and FolderInUse.
    """
    with _open(folder, learner, exercise, alike) as (book, _, learners), book.by_people() as people:
        people.comment(on_own_lines(note, learner, sources(book, learners, exercise)))
    say(f"{_whom(learners)}, {exercise}: the comment is kept.", out)


def change(folder: Path, do: Callable[[People], object], said: str, out: Console) -> None:
    """Do something to what people wrote, and say so; raises GradebookError, and FolderInUse."""
    with changed(folder) as book, book.by_people() as people:
        do(people)
    say(said, out)


@contextmanager
def changed(folder: Path) -> Iterator[Gradebook]:
    """A gradebook that is there, to be changed by nobody else; its report is then written anew.

    Raises GradebookError, and FolderInUse while a run writes into the folder.
    """
    Gradebook.open(folder).close()  # one that is not there is not made
    with held(folder):
        with Gradebook.create(folder) as book:
            yield book
            book.fold()
        write_report(folder)


def ask(folder: Path, learner: str, exercise: str, text: str, out: Console) -> None:
    """Keep a learner's request to look again; raises GradebookError, and FolderInUse."""
    with _open(folder, learner, exercise) as (book, _, _), book.by_people() as people:
        people.ask(learner, exercise, text)
    say(f"{name_of(learner)}, {exercise}: the request is kept.", out)


def show_notes(folder: Path, every: bool, out: Console) -> None:
    """Print the requests that wait for an answer, or `every` note that there is."""
    with Gradebook.open(folder) as book:
        notes = book.notes()
    shown = notes if every else open_requests(notes)
    for note in shown:
        what = f"{note.kind} {note.about}" if note.about else note.kind
        place = f", {one_line(note.cell)} line {note.line}" if note.line else ""
        place += OF_ANOTHER if note.of_another else ""
        head = f"{note.id}. {note.time} {name_of(note.learner)}, {note.exercise}{place}"
        text = quoted(note.text) if note.kind == "request" else note.text
        say(f"{head}: {what} by {name_of(note.who)}: {one_line(text, 5_000)}", out)
    if not shown:
        say("No note was written." if every else "No request waits for an answer.", out)


@contextmanager
def _open(
    folder: Path, learner: str, exercise: str, alike: bool = False
) -> Iterator[tuple[Gradebook, Entry, list[str]]]:
    """The gradebook, one answer in it, and everybody whom this concerns."""
    with changed(folder) as book:
        entries = {entry.mark.name: entry for entry in book.entries(learner)}
        if not entries:
            near = difflib.get_close_matches(learner, [*book.learners()], 3)
            instead = f"; did you mean {' or '.join(map(name_of, near))}?" if near else ""
            raise GradebookError(f"{book.path} has nobody called {name_of(learner)}{instead}")
        refuse_unknown(exercise)
        if exercise not in entries:
            raise GradebookError(f"{book.path} holds no {exercise} of {name_of(learner)}")
        learners = equal_answers(Classroom(book), learner, exercise) if alike else [learner]
        yield book, entries[exercise], learners


def _whom(learners: Sequence[str]) -> str:
    others = f" and {count(len(learners) - 1, 'other')} with the same answer"
    return f"{name_of(learners[0])}{others if len(learners) > 1 else ''}"
