"""Says which exercises are defined only where no other code sees it; runs nothing."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from ..handed_in.notebook_io import Cell
from .magics import written_file
from .standing_alone import is_indirect

# A definition that is no method, and how far it is indented.
_DEFINED = re.compile(
    r"^([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)[ \t]*[(:](?!\s*self\b)", re.MULTILINE
)
# The same where it may be a line of a notebook's JSON.
_IN_DATA = re.compile(r"(?:^|\\n|\")(?:def|class)[ \t]+(\w+)[ \t]*[(:](?!\s*self\b)", re.MULTILINE)
_SAYS = (
    "{label}: holds {names} as text, or inside of something else, where no other code sees it; "
    "define it at the left edge of a cell of code, and hand it in again"
)


def out_of_reach(
    cells: Sequence[Cell],
    texts: Iterable[Cell],
    data: Iterable[Cell],
    exercises: frozenset[str],
    bound: Callable[[], Collection[str]],
) -> list[str]:
    """In words to act on; `texts` are cells that hold no code, `data` files beside it.

    What code has a name for (`bound`) is asked only where a definition stands in one of these, in a
    class or a function, or in a file that a cell writes; one that code names is no data.
    """
    aside = {name: cell.label for cell in texts for _, name in _found(cell)}
    for cell in data:
        found = {*_IN_DATA.findall(cell.source)} & exercises
        file = cell.notebook.rpartition("/")[2]
        if found and not any(file in each.source for each in cells):
            aside |= dict.fromkeys(found, cell.label)
    for cell in cells:
        file = written_file(cell.source)
        if file and not _named(file, cell, cells):
            aside |= {name: cell.label for _, name in _found(cell)}
        elif not file and not is_indirect(cell.source):
            aside |= {name: cell.label for indent, name in _found(cell) if indent}
    names = aside.keys() & exercises
    held: dict[str, list[str]] = {}
    for name in sorted(names.difference(bound()) if names else ()):
        held.setdefault(aside[name], []).append(name)
    return [_SAYS.format(label=label, names=", ".join(held[label])) for label in held]


def _found(cell: Cell) -> list[tuple[str, str]]:
    return _DEFINED.findall(cell.source)


def _named(file: str, writer: Cell, cells: Iterable[Cell]) -> bool:
    """Whether any other cell has the name of a file's module."""
    module = re.compile(rf"\b{re.escape(file.rpartition('/')[2].removesuffix('.py'))}\b")
    return any(cell is not writer and module.search(cell.source) for cell in cells)
