"""What every command says things with, writes tables with, and how it ends; knows no command."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from ..report.text import visible

USAGE, INTERRUPTED = 2, 3  # exit statuses; 0 is a run that is complete, whatever the marks
out, err = Console(), Console(stderr=True)


def flag(name: str, meaning: str) -> Any:
    """An option that is given or not, and has no opposite."""
    return typer.Option(f"--{name}", help=meaning)


def say(text: str, console: Console = out) -> None:
    """Print plain text, in lines that a terminal wraps by itself: a command can be copied whole."""
    console.print(Text(text), soft_wrap=True)


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Say why a command cannot go on, and end with this exit status."""
    say(f"grader: {visible(message)}", err)
    raise typer.Exit(status)


@contextmanager
def stopping_at(*complaints: type[Exception]) -> Iterator[None]:
    """Say what one of these complains of, and end with that."""
    try:
        yield
    except complaints as error:
        stop(str(error))


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file of a head and rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])
