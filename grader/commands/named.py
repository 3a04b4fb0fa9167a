"""Ends a command whose exercise the course has not, or whose data files have a fault."""

import difflib

from ..curriculum.syllabus import syllabus
from .console import stop, stopping_at


def refuse_unknown(exercise: str) -> None:
    """Stop where no exercise is called so."""
    if exercise not in syllabus().names:
        near = difflib.get_close_matches(exercise, syllabus().names, n=3, cutoff=0.5)
        there_are = f"there are: {', '.join(syllabus().names)}"
        instead = f"did you mean {' or '.join(near)}?" if near else there_are
        stop(f"no exercise is called {exercise!r}; {instead}")


def read_catalogue() -> None:
    """Stop here, not within a diagnosis, where a person's edit of a data file has a fault."""
    from ..diagnosis.misconceptions.catalogue import CatalogueError, misconceptions
    from ..diagnosis.misconceptions.changes import changes

    with stopping_at(CatalogueError):
        for name in syllabus().names:
            misconceptions(name)
            changes(name)
