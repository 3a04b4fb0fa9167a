"""Gives an exercise's hints in the terminal, one at a time; marks nothing."""

from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from ..curriculum.hints import steps
from ..notebook.api import overview
from .console import say, stop
from .workplace import find


def give(exercise: str, number: int, out: Console) -> None:
    """One hint of this exercise, or of the one to go on with."""
    after = overview(find(Path())).next if not exercise else None
    name = exercise or (after.exercise.name if after else "")
    if not name:
        stop("every exercise has passed; name the one that you want a hint for")
    hints = steps(name)
    if number > len(hints):
        stop(f"{name} has {len(hints) or 'no'} hints")
    say(f"{name}, hint {number} of {len(hints)}", out)
    out.print(Markdown(hints[number - 1]))
    if number < len(hints):
        say(f"The next: grader hint {name} {number + 1}", out)
