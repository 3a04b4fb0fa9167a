"""Finds what stands in the saved notebooks beside this kernel, as cells and as links; runs nothing.

JupyterLab opens a relative link in a tab, and follows `#cell-id=` in a notebook that is open.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..curriculum.syllabus import Exercise, syllabus
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


def link_to(exercise: Exercise, folder: Path) -> str:
    """To its heading in the notebook that is open, else to its chapter; empty without a file."""
    if chapter() == exercise.chapter and (own := path()) is not None:
        cell = heading(own, exercise.name)
        return f"{quote(own.name)}#cell-id={cell}" if cell else ""
    name = f"{exercise.chapter}.ipynb"
    return name if (folder / name).is_file() else ""


def heading(file: Path, name: str) -> str:
    """The id of the cell in whose heading the name stands; empty where there is none."""
    wanted = re.compile(rf"^#+ .*`{name}`", re.MULTILINE)
    found = (each for each in _cells(file, "markdown") if wanted.search(source_of(each)))
    return str(next(found, {}).get("id", ""))


def saved_cells(source: str, cell_id: str | None = None) -> list[SavedCell]:
    """The code cells of the notebook in which a cell stands; none where none is found.

    It is looked for in the notebook that the frontend names, else in all that lie in this folder.
    """
    own = path()
    files = [own] if own is not None else sorted(Path.cwd().glob("*.ipynb"))
    for file in filter(Path.is_file, files):  # what opens a pipe waits
        cells = list(_cells(file, "code"))
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


def _cells(file: Path, kind: str) -> Iterator[SavedCell]:
    with suppress(OSError, ValueError, AttributeError, TypeError, RecursionError):
        if file.stat().st_size <= MAX_BYTES:
            for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
                if cell["cell_type"] == kind:
                    yield cell
