"""The commands of who writes a course: its misconceptions and its solved notebooks."""

from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.syllabus import syllabus
from .console import read_catalogue, refuse_unknown, say, stop

commands = typer.Typer()


@commands.command("misconceptions")
def misconceptions_known(
    what: Annotated[
        str, typer.Argument(metavar="[EXERCISE | add]", help="List those of this one, or add one.")
    ] = "",
    exercise: Annotated[str, typer.Argument(help="With add: what was answered wrongly.")] = "",
    file: Annotated[
        Path | None, typer.Argument(exists=True, help="With add: a wrong answer you have seen.")
    ] = None,
    behaviour: Annotated[str, typer.Option(help="With add: what the code behaves like.")] = "",
    question: Annotated[str, typer.Option(help="With add: a question that leads on.")] = "",
    name: Annotated[
        str, typer.Option(help="With add: the id; else the first words of --behaviour.")
    ] = "",
) -> None:
    """List the misconceptions that the grader knows, or add one from a wrong answer."""
    from ..diagnosis.misconceptions.catalogue import misconceptions

    read_catalogue()
    if what == "add":
        _add_misconception(exercise, file, behaviour, question, name)
        return
    if what:
        refuse_unknown(what)
    for each in () if what else syllabus().names:
        say(f"{len(misconceptions(each)):5}  {each}")
    for one in misconceptions(what) if what else ():
        say(f"{one.id}\n    {one.explanation}\n    {one.question}")


def _add_misconception(
    exercise: str, file: Path | None, behaviour: str, question: str, name: str
) -> None:
    from .add_misconception import add

    if file is None:
        stop("give an exercise and a file: grader misconceptions add EXERCISE FILE")
    refuse_unknown(exercise)
    for line in add(exercise, file, behaviour, question, name):
        say(line)


@commands.command()
def solve(folder: Annotated[Path, typer.Argument(metavar="OUT", help="Where they go.")]) -> None:
    """Write the solved notebooks, for nbval."""
    from .solve import solve_notebooks

    written = solve_notebooks(folder)
    say(f"{len(written)} solved notebooks lie in {folder}")
