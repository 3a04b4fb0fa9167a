"""States when a class's work was due, for `grader due`; knows no mark."""

from pathlib import Path
from typing import Annotated

import typer

from ..gradebook.lateness import Lateness, read_extensions, shown
from ..gradebook.store import Gradebook
from ..gradebook.times import moment, read_times
from ..report.standing import listed
from ..report.text import count
from .by_hand import changed
from .console import Folder, flag, say, stop

commands = typer.Typer()


@commands.command()
def due(
    folder: Folder,
    deadline: Annotated[str, typer.Option(help="When it was due: 2026-01-31T12:00:00Z.")] = "",
    late: Annotated[str, typer.Option(help="What it costs: 10% a day, at most 50%.")] = "",
    times: Annotated[Path | None, typer.Option(help="Who handed in when: learner,time.")] = None,
    extensions: Annotated[
        Path | None, typer.Option(help="Who has more time: learner,until,days,reason.")
    ] = None,
    remove: Annotated[bool, flag("remove", "Nothing is late any more.")] = False,
) -> None:
    """State when the class's work was due, or tell it; the report and every export know it."""
    states = bool(deadline or late)
    if bool(deadline) != bool(late) or (remove and (states or times or extensions)):
        stop("give --deadline and --late together, or --remove alone; nothing tells how it stands")
    if deadline:
        Lateness(moment(deadline), late)
    given = read_extensions(extensions) if extensions else None
    known = read_times(times) if times else None
    if remove or states or times or extensions:
        with changed(folder) as book:
            stated = book.lateness()
            if given is not None and not states:
                if stated is None:
                    stop("no deadline is stated yet: give --deadline and --late as well")
                deadline, late = stated.deadline.isoformat(), stated.rule
            held = stated.extensions.keys() if stated else set[str]()
            if given is not None and (gone := sorted(held - given.keys())):
                say(f"Without more time from now on, as the new list lacks them: {listed(gone)}.")
            if known is not None:
                book.set_times(known, keeps=False)
            if remove or deadline:
                book.set_due(deadline, late, given if deadline else {})
    _tell_due(folder)


def _tell_due(folder: Path) -> None:
    """Say what holds in the gradebook, and who is late."""
    with Gradebook.open(folder) as book:
        stated = book.lateness()
        if stated is None:
            say("Nothing is late: no deadline is stated.")
            return
        say(f"Due {shown(stated.deadline)}; lateness costs {stated.rule}.")
        learners = [*book.learners()]
        everybody = {*learners, *book.standing().absent}
        is_late = [name for name in learners if stated.is_late(name)]
        say(f"{count(len(is_late), 'learner')} late{': ' if is_late else ''}{listed(is_late)}.")
        for remark in (*stated.unmatched(learners, everybody), *stated.without_effect()):
            say(remark)
