"""Finds what belongs to a learner's notebook beside it: own modules, small data; runs nothing."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..curriculum.syllabus import syllabus
from ..handed_in.file_names import SCRIPT, is_data
from ..submission import Cell, Submission, load_submission
from .saved_work import saved_work

OLD = "replaced.txt"  # no notebook and no script, so that nobody takes it for an answer
KIT = "kit"  # the folder of what notebooks draw with, which the course hands out
_IMPORTED = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)


def saved_file(path: Path) -> Submission:
    """A notebook, script or folder as it is saved; a single one with what belongs to it."""
    work = load_submission(path, syllabus().names, learner="you")
    if not path.is_file():
        return work
    own = {cell.notebook for cell in work.cells}
    more = (cell for cell in belonging(work.cells, path.parent) if cell.notebook not in own)
    return replace(work, cells=(*work.cells, *more))


def belonging(cells: Iterable[Cell], folder: Path) -> tuple[Cell, ...]:
    """The learner's own scripts that these cells import, directly or not, and data they name."""
    cells = tuple(cells)
    names = _imported(cells) - {KIT, "grader"}
    scripts = [n for n in names if (folder / f"{n}{SCRIPT}").is_file() or (folder / n).is_dir()]
    text = "\n".join(cell.source for cell in cells)
    try:
        data = {p.name for p in folder.iterdir() if is_data(p.name) and p.name in text}
    except OSError:  # the folder was deleted
        data = set()
    if not scripts and not data:
        return ()
    saved = saved_work(folder).cells
    left = [cell for cell in saved if cell.notebook.endswith(SCRIPT)]
    found = [cell for cell in saved if cell.notebook in data]
    while new := [cell for cell in left if not names.isdisjoint(_modules_in(cell))]:
        found += new
        left = [cell for cell in left if cell not in new]
        names = _imported(new) - {KIT}
    return tuple(found)


def _imported(cells: Iterable[Cell]) -> set[str]:
    return {name for cell in cells for name in _IMPORTED.findall(cell.source)}


def _modules_in(cell: Cell) -> set[str]:
    """By which names a script may be imported: its own, and the folder's it lies in."""
    *folders, last = cell.notebook.removesuffix(SCRIPT).split("/")
    return {last, *folders[:1]}
