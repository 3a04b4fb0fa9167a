"""The commands of a learner's own folder: start, check, reset, progress, hint and watch."""

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.course import VARIABLE
from ..curriculum.syllabus import syllabus
from ..report.text import count
from .console import out, read_catalogue, refuse_unknown, say, stop

commands = typer.Typer()


@commands.command()
def start(
    folder: Annotated[
        Path | None, typer.Argument(help="A folder of your own, made on first use; else my-course.")
    ] = None,
) -> None:
    """Copy the course into a folder of your own; what you have changed there stays as it is."""
    from .workplace import FOLDER, is_begun
    from .workplace import start as copy

    folder = folder or (Path() if is_begun(Path()) else Path(FOLDER))
    copied = copy(folder)
    made = f"{count(len(copied), 'file')} copied to {folder}"
    message = made if copied else f"{folder} has everything"
    jupyter, here = Path(sys.executable).with_name("jupyter-lab"), Path.cwd()
    if shutil.which("jupyter-lab"):
        jupyter = Path("jupyter-lab")
    elif jupyter.is_relative_to(here):
        jupyter = jupyter.relative_to(here)
    chosen = os.environ.get(VARIABLE)
    opens = f"{VARIABLE}={shlex.quote(chosen)} " if chosen else ""
    say(f"{message}; `{opens}{jupyter} {shlex.quote(str(folder))}` opens it.")


@commands.command()
def check(
    notebook: Annotated[
        Path | None, typer.Argument(help="A notebook, script or folder; else yours.")
    ] = None,
    exercise: Annotated[str | None, typer.Option(help="Check this one alone.")] = None,
) -> None:
    """Check your own notebook and say what to think about next."""
    from ..report.terminal import show_submission
    from .selfcheck import check_submission
    from .workplace import find, keep

    if exercise is not None:
        refuse_unknown(exercise)
    read_catalogue()
    if notebook is None:
        notebook = find(Path())
        if not any(notebook.glob("*.ipynb")):
            stop("there are no notebooks here; `grader start` makes a folder of them")
    elif not notebook.exists():
        instead = f"; for one exercise: --exercise {notebook}"
        stop(f"there is no {notebook} here{instead if str(notebook) in syllabus().names else ''}")
    found = check_submission(notebook, exercise)
    show_submission(out, found)
    keep(notebook if notebook.is_dir() else notebook.parent, found.marks)


@commands.command()
def reset(
    notebook: Annotated[Path, typer.Argument(exists=True, help="A notebook of your own.")],
    exercise: Annotated[str, typer.Option(help="Give back this stub alone.")] = "",
) -> None:
    """Give stubs back; what you wrote is kept in replaced.txt beside the notebook."""
    from .workplace import OLD
    from .workplace import reset as give_back

    names = give_back(notebook, exercise)
    message = f"Stubs again: {', '.join(names)}. What stood there is in {notebook.parent / OLD}."
    say(message if names else "There are only stubs.")


@commands.command()
def progress(
    folder: Annotated[Path | None, typer.Argument(help="Where your notebooks are.")] = None,
) -> None:
    """Say how far you are, chapter by chapter, and what to do next."""
    from ..notebook.api import overview
    from .workplace import find

    say(repr(overview(folder or find(Path()))))


@commands.command()
def hint(
    exercise: Annotated[str, typer.Argument(help="Of this one; else of the next.")] = "",
    number: Annotated[int, typer.Argument(min=1, help="Which of its hints.")] = 1,
) -> None:
    """Give a hint for an exercise, never the answer."""
    from rich.markdown import Markdown

    from ..curriculum.hints import steps
    from ..notebook.api import overview
    from .workplace import find

    if exercise:
        refuse_unknown(exercise)
    after = None if exercise else overview(find(Path())).next
    name = exercise or (after.exercise.name if after else "")
    if not name:
        stop("every exercise has passed; name the one that you want a hint for")
    hints = steps(name)
    if number > len(hints):
        stop(f"{name} has {len(hints) or 'no'} hints")
    say(f"{name}, hint {number} of {len(hints)}")
    out.print(Markdown(hints[number - 1]))
    if number < len(hints):
        say(f"The next: grader hint {name} {number + 1}")


@commands.command()
def watch(
    notebook: Annotated[
        Path | None, typer.Argument(exists=True, help="Your notebook, or the folder of all.")
    ] = None,
) -> None:
    """Check what has changed each time you save, and say what is next, until Ctrl-C."""
    from .selfcheck import saves
    from .selfcheck import watch as check_at
    from .workplace import find

    path = notebook or find(Path()).absolute()
    try:
        check_at(path, out, saves(path))
    except KeyboardInterrupt:
        out.print()
