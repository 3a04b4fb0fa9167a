"""Finds the notebook that runs in this kernel, as it was last saved; runs and changes nothing."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..curriculum.syllabus import syllabus
from ..worker.namespace import running_shell

MAX_BYTES = 50_000_000  # of a notebook that is read here
SavedCell = dict[str, Any]


def path() -> Path | None:
    """Where the notebook is; None where the frontend does not tell it."""
    names = getattr(running_shell(), "user_ns", {})
    told = (names.get("__vsc_ipynb_file__"), os.environ.get("JPY_SESSION_NAME"))
    files = (Path(each) for each in told if isinstance(each, str) and each.endswith(".ipynb"))
    return next((each for each in files if each.is_file()), None)


def chapter() -> str:
    """The chapter that the notebook is, copies of it included; empty where nobody can tell."""
    own = path()
    number = own.name[:2] if own is not None else ""
    return next((each for each in syllabus().chapters if each[:2] == number), "")


def saved_cells(source: str, cell_id: str | None = None) -> list[SavedCell]:
    """The code cells of the notebook in which a cell stands; none where none is found.

    It is looked for in the notebook that the frontend names, else in all that lie in this folder.
    """
    own = path()
    files = [own] if own is not None else sorted(Path.cwd().glob("*.ipynb"))
    for file in filter(Path.is_file, files):  # what opens a pipe waits
        cells = list(_code_cells(file))
        if own is not None or find_cell(cells, source, cell_id) is not None:
            return cells
    return []


def find_cell(cells: list[SavedCell], source: str, cell_id: str | None = None) -> SavedCell | None:
    """The cell with this id, else the one with this source."""
    same = (each for each in cells if cell_id and each.get("id") == cell_id)
    alike = (each for each in cells if source_of(each).strip() == source.strip())
    return next(same, None) or next(alike, None)


def source_of(cell: SavedCell) -> str:
    """What a cell holds; notebooks store it as one text or as lines."""
    return joined(cell.get("source", ""))


def joined(text: object) -> str:
    """A text that a notebook stores as one, or as a list of lines."""
    return "".join(map(str, text)) if isinstance(text, list) else str(text)


def _code_cells(file: Path) -> Iterator[SavedCell]:
    with suppress(OSError, ValueError, AttributeError, TypeError, RecursionError):
        if file.stat().st_size <= MAX_BYTES:
            for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
                if cell["cell_type"] == "code":
                    yield cell
