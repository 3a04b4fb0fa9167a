"""What every command says things with, and how it ends; knows no command."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer
from rich.console import Console
from rich.text import Text

from ..report.text import visible

USAGE, INTERRUPTED = 2, 3  # exit statuses; 0 is a run that is complete, whatever the marks
out, err = Console(), Console(stderr=True)


def stop(message: str, status: int = USAGE) -> NoReturn:
    """Say why a command cannot go on, and end with this exit status."""
    err.print(Text(f"grader: {visible(message)}"), soft_wrap=True)
    raise typer.Exit(status)


@contextmanager
def stopping_at(*complaints: type[Exception]) -> Iterator[None]:
    """Say what one of these complains of, and end with that."""
    try:
        yield
    except complaints as error:
        stop(str(error))
