"""The commands by which a person steps in: points, comments, requests, answers; marks nothing."""

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ..candidate.records import Note
from ..cohort.lock import held
from ..curriculum.syllabus import syllabus
from ..gradebook.entries import Entry
from ..gradebook.notes import on_own_lines, open_requests
from ..gradebook.overrides import same_for
from ..gradebook.store import Gradebook, GradebookError
from ..report.class_report import write_report
from ..report.classroom import Classroom, equal_answers, sources
from ..report.text import count, name_of, one_line
from ..report.wording import OF_ANOTHER, quoted
from .console import Folder, flag, refuse_unknown, say, stop

commands = typer.Typer()
Who = Annotated[str, typer.Option(help="Who says so; the learner reads it.")]
Alike = Annotated[bool, flag("alike", "For everybody whose answer is the same.")]


@commands.command()
def override(
    folder: Folder,
    learner: str,
    exercise: str,
    points: Annotated[float | None, typer.Argument(help="From now on.")] = None,
    reason: Annotated[str, typer.Option(help="Why; the learner reads it.")] = "",
    who: Who = "",
    alike: Alike = False,
    remove: Annotated[bool, flag("remove", "Take it back.")] = False,
) -> None:
    """Set the points of one exercise by hand, whatever is marked anew."""
    if remove == (points is not None) or (not remove and not (reason and who)):
        stop("give POINTS with --reason and --who, or --remove alone")
    told = "the grader's own points count again"
    if remove and exercise not in syllabus().names and not alike:  # one that the course had
        with changed(folder) as book, book.by_people() as people:
            if not people.take_back([learner], exercise, "an instructor"):
                refuse_unknown(exercise)
        say(f"{name_of(learner)}, {exercise}: no points wait any more.")
        return
    with (
        _answer(folder, learner, exercise, alike) as (book, entry, learners),
        book.by_people() as people,
    ):
        if points is not None:
            people.set_points(same_for(learners, entry.mark, points, reason, who))
            told = f"{points:g} {'point' if points == 1 else 'points'} from now on"
        elif not people.take_back(learners, exercise, "an instructor"):
            raise GradebookError(f"nobody has set points of {exercise} for {name_of(learner)}")
    say(f"{_whom(learners)}, {exercise}: {told}.")


@commands.command()
def comment(
    folder: Folder,
    learner: Annotated[str, typer.Argument()] = "",
    exercise: Annotated[str, typer.Argument()] = "",
    text: Annotated[str, typer.Argument(help="What the learner reads.")] = "",
    who: Who = "",
    line: Annotated[int, typer.Option(min=0, help="Of the cell or file.")] = 0,
    cell: Annotated[str, typer.Option(help="Where the answer is in several.")] = "",
    alike: Alike = False,
    remove: Annotated[int, typer.Option(help="Take back the comment of this number.")] = 0,
) -> None:
    """Write a comment on an answer or one line of it; `grader requests --every` has its number."""
    if not who or bool(text) == bool(remove):
        stop("give LEARNER EXERCISE TEXT and --who, or --remove NUMBER and --who")
    if remove:
        with changed(folder) as book, book.by_people() as people:
            people.remove(remove, who)
        say("The comment is shown no more.")
        return
    note = Note(None, learner, exercise, "comment", who, "", text, cell, line)
    with (
        _answer(folder, learner, exercise, alike) as (book, _, learners),
        book.by_people() as people,
    ):
        people.comment(on_own_lines(note, learner, sources(book, learners, exercise)))
    say(f"{_whom(learners)}, {exercise}: the comment is kept.")


@commands.command()
def requests(
    folder: Folder, every: Annotated[bool, flag("every", "All that people ever wrote.")] = False
) -> None:
    """List the requests to look again that wait for an answer."""
    with Gradebook.open(folder) as book:
        notes = book.notes()
    shown = notes if every else open_requests(notes)
    for note in shown:
        what = f"{note.kind} {note.about}" if note.about else note.kind
        place = f", {one_line(note.cell)} line {note.line}" if note.line else ""
        place += OF_ANOTHER if note.of_another else ""
        head = f"{note.id}. {note.time} {name_of(note.learner)}, {note.exercise}{place}"
        text = quoted(note.text) if note.kind == "request" else note.text
        say(f"{head}: {what} by {name_of(note.who)}: {one_line(text, 5_000)}")
    if not shown:
        say("No note was written." if every else "No request waits for an answer.")


@commands.command()
def ask(folder: Folder, learner: str, exercise: str, text: str) -> None:
    """Note a learner's request to look at an answer again."""
    with _answer(folder, learner, exercise) as (book, _, _), book.by_people() as people:
        people.ask(learner, exercise, text)
    say(f"{name_of(learner)}, {exercise}: the request is kept.")


@commands.command()
def answer(folder: Folder, number: int, text: str, who: Who = "") -> None:
    """Answer a request; the learner's page has both."""
    with changed(folder) as book, book.by_people() as people:
        people.answer(number, text, who)
    say("The answer is kept; set points with `grader override` where they change.")


@contextmanager
def changed(folder: Path) -> Iterator[Gradebook]:
    """A gradebook that is there, to be changed by nobody else; its report is then written anew.

    Its file may stand for its folder. Raises Complaint, also while a run writes into the folder.
    """
    Gradebook.open(folder).close()  # one that is not there is not made
    folder = folder.parent if folder.is_file() else folder
    with held(folder):
        with Gradebook.create(folder) as book:
            yield book
            book.fold()
        write_report(folder)


@contextmanager
def _answer(
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
