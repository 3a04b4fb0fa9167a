"""Submissions in memory for tests, and two ways to run them: cell by cell, and slice by slice."""

from __future__ import annotations
import __future__

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.submission import Cell, Slice, Submission

EXERCISES = frozenset({"softmax", "masked_softmax", "attention", "LayerNorm", "Encoder"})
ANSWER = "def softmax(x):\n    return x + 1"


def submission(
    *cells: str, exercises: frozenset[str] = EXERCISES, notebook: str = "work.ipynb"
) -> Submission:
    """One notebook of these code cells."""
    return several({notebook: cells}, exercises)


def several(
    notebooks: Mapping[str, Sequence[str]], exercises: frozenset[str] = EXERCISES
) -> Submission:
    """Several notebooks, each with its code cells; a name that ends with .py is a script."""
    cells = tuple(
        Cell(source, name if name.endswith(".py") else f"{name}, cell {index + 1}", name, index)
        for name, sources in notebooks.items()
        for index, source in enumerate(sources)
    )
    return Submission("ann", exercises, cells)


def notebook_json(*cells: str, **more: Any) -> str:
    """A notebook's file content."""
    rows = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": []} for source in cells
    ]
    return json.dumps({"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def write_notebook(path: Path, *cells: str) -> Path:
    """The same, on disk."""
    path.write_text(notebook_json(*cells), encoding="utf-8")
    return path


def execute(cut: Slice | None) -> dict[str, Any]:
    """Run a slice as a worker does: each unit in turn, in one namespace."""
    assert cut is not None
    units = [("\n" * (unit.line - 1) + unit.code, f"<{unit.label}>") for unit in cut.units]
    return _run(units, "submitted")


def kernel(*cells: str) -> dict[str, Any]:
    """Run all cells from top to bottom, as a notebook's kernel does."""
    return _run([(cell, "<cell>") for cell in cells], "__main__")


def _run(pieces: Sequence[tuple[str, str]], name: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": name}
    flags = 0  # what a cell imports from __future__ holds for all later ones
    for code, file in pieces:
        compiled = compile(code, file, "exec", flags, dont_inherit=True)
        flags |= compiled.co_flags & __future__.annotations.compiler_flag
        exec(compiled, namespace)
    return namespace


def text(cut: Slice | None) -> str:
    """All code of a slice."""
    assert cut is not None
    return "\n".join(unit.code for unit in cut.units)


def write_zip(path: Path, *members: tuple[str | zipfile.ZipInfo, bytes | str]) -> Path:
    """A zip on disk."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


# An answer to softmax, in a notebook too, and a wrong one.
RIGHT = (
    "def softmax(x, dim):\n    x = (x - x.amax(dim, True)).exp()\n    return x / x.sum(dim, True)\n"
)
NOTEBOOK = notebook_json("import torch", RIGHT).encode()
WRONG = notebook_json(RIGHT.replace("exp", "sin")).encode()
