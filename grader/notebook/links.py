"""Says where an exercise stands in a folder's notebooks, as a link; reads no code."""

import json
from pathlib import Path

from ..course.syllabus import Exercise


def link_to(exercise: Exercise, folder: Path, current: str = "") -> str:
    """To its heading, from a notebook of the chapter `current`; empty where there is no such file.

    JupyterLab makes a heading's anchor of its text, with `-` for each blank.
    """
    path = folder / f"{exercise.chapter}.ipynb"
    if not path.is_file():
        return ""
    heading = _heading(path, exercise.name)
    anchor = f"#{heading.replace(' ', '-')}" if heading else ""
    return anchor if anchor and exercise.chapter == current else f"{path.name}{anchor}"


def _heading(path: Path, name: str) -> str:
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    except (OSError, ValueError, LookupError, TypeError):
        return ""
    lines = (line for text in texts for line in text.splitlines() if line.startswith("#"))
    found = next((line for line in lines if f"`{name}`" in line), "")
    return found.lstrip("#").strip().replace("`", "")
