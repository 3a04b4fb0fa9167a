"""The commands by which a person steps in: points, comments, requests and their answers."""

from pathlib import Path
from typing import Annotated

import typer

from .console import flag, out, stop

by_people = typer.Typer()
Folder = Annotated[Path, typer.Argument(help="The folder that `grader grade --out` wrote.")]
Who = Annotated[str, typer.Option(help="Who says so; the learner reads it.")]
Alike = Annotated[bool, flag("alike", "For everybody whose answer is the same.")]


@by_people.command()
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
    from ..gradebook.overrides import Override
    from .by_hand import set_points

    if remove == (points is not None) or (not remove and not (reason and who)):
        stop("give POINTS with --reason and --who, or --remove alone")
    new = None if points is None else Override(learner, exercise, points, reason, who)
    set_points(folder, learner, exercise, new, alike, out)


@by_people.command()
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
    from ..candidate.records import Note
    from .by_hand import change
    from .by_hand import comment as write

    if not who or bool(text) == bool(remove):
        stop("give LEARNER EXERCISE TEXT and --who, or --remove NUMBER and --who")
    if remove:
        said = "The comment is shown no more."
        change(folder, lambda people: people.remove(remove, who), said, out)
    else:
        note = Note(None, learner, exercise, "comment", who, "", text, cell, line)
        write(folder, learner, exercise, note, alike, out)


@by_people.command()
def requests(
    folder: Folder, every: Annotated[bool, flag("every", "All that people ever wrote.")] = False
) -> None:
    """List the requests to look again that wait for an answer."""
    from .by_hand import show_notes

    show_notes(folder, every, out)


@by_people.command()
def ask(folder: Folder, learner: str, exercise: str, text: str) -> None:
    """Note a learner's request to look at an answer again."""
    from .by_hand import ask as note

    note(folder, learner, exercise, text, out)


@by_people.command()
def answer(folder: Folder, number: int, text: str, who: Who = "") -> None:
    """Answer a request; the learner's page has both."""
    from .by_hand import change

    said = "The answer is kept; set points with `grader override` where they change."
    change(folder, lambda people: people.answer(number, text, who), said, out)
