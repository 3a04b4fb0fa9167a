"""Says where an exercise stands in a folder's notebooks, as a link; reads no code.

JupyterLab opens a relative link in a tab, and follows `#cell-id=` in a notebook that is open.
"""

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from ..curriculum.syllabus import Exercise
from . import this_notebook


def link_to(exercise: Exercise, folder: Path) -> str:
    """To its heading in the notebook that is open, else to its chapter; empty without a file."""
    if this_notebook.chapter() == exercise.chapter and (own := this_notebook.path()) is not None:
        cell = heading(own, exercise.name)
        return f"{quote(own.name)}#cell-id={cell}" if cell else ""
    name = f"{exercise.chapter}.ipynb"
    return name if (folder / name).is_file() else ""


def heading(path: Path, name: str) -> str:
    """The id of the cell in whose heading the name stands; empty where there is none."""
    wanted = re.compile(rf"^#+ .*`{name}`", re.MULTILINE)
    with suppress(OSError, ValueError, LookupError, TypeError, StopIteration):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        written = (c for c in cells if c["cell_type"] == "markdown")
        return str(next(c for c in written if wanted.search("".join(c["source"])))["id"])
    return ""
