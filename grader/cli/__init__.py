"""The `grader` command, of which each command has its place in a module; does none by itself."""

import atexit
import gc
import importlib.metadata
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.course import CourseError, choose
from ..report.text import visible
from .commands import GraderCommand
from .console import USAGE, err, say, speak_plainly, stop

app = typer.Typer(
    cls=GraderCommand,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command; the system's own complaints about files are messages, not tracebacks."""
    speak_plainly()
    atexit.register(gc.freeze)  # what ends with the process need not be looked through
    try:
        app(prog_name="grader")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"grader: {visible(f'{where}{error.strerror or error}')}", err)
        sys.exit(USAGE)


def _choose(folder: Path | None) -> Path | None:
    if folder is not None:
        try:
            choose(folder)
        except CourseError as error:
            stop(str(error))
    return folder


def _show_version(asked: bool) -> None:
    if asked:
        say(f"grader {importlib.metadata.version('transformer-course')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show it and end."),
    ] = False,
    course: Annotated[
        Path | None,
        typer.Option(callback=_choose, is_eager=True, help="The folder of another course."),
    ] = None,
) -> None:
    """Marks the exercises of a course: your own notebook, or a whole class."""
