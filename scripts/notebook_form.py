"""Holds notebooks to the form in which they are committed; runs none of them.

    .venv/bin/python -m scripts.notebook_form notebooks/04_softmax.ipynb ...

What belongs to a run and not to the course (cards, metadata of an editor) is taken out. What an
author must decide is said: a solved stub, an error that is stored. Exits with 1 where it changed or
said something, as pre-commit has it.
"""

import ast
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from grader.curriculum.syllabus import syllabus
from grader.submission import is_stub
from scripts.notebook_outputs import METADATA, UNSTORED, kept_metadata


def put_right(notebook: NotebookNode) -> NotebookNode:
    """The notebook without what no run may leave in it; the one that is given stays as it is."""
    notebook = deepcopy(notebook)
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = kept_metadata(cell)
        if cell.cell_type == "code":
            if UNSTORED in cell.metadata.get("tags", ()):
                cell.outputs = []
            # nbval asks for a number where there are outputs, and for none elsewhere.
            cell.execution_count = (cell.execution_count or 1) if cell.outputs else None
    return notebook


def faults(notebook: NotebookNode) -> Iterator[str]:
    """What an author must put right, one sentence each."""
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code":
            continue
        if any(output.output_type == "error" for output in cell.outputs):
            yield f"cell {number} stores an error; store its outputs: scripts/notebook_outputs.py"
        try:
            body = ast.parse(cell.source).body
        except SyntaxError as error:
            yield f"cell {number} is no Python: {error}"
            continue
        for node in body:
            if getattr(node, "name", "") in syllabus().names and not is_stub(node):
                yield f"cell {number}: {node.name} is solved; a learner gets a stub"


def check(path: Path) -> list[str]:
    """What was changed in a notebook, and what is to be changed by hand."""
    notebook = nbformat.read(path, as_version=4)
    right = put_right(notebook)
    told = [*faults(right)]
    if right != notebook:
        nbformat.write(right, path)
        told.append("what a run had left in it is taken out; add it again")
    return told


if __name__ == "__main__":
    told = [f"{name}: {fault}" for name in sys.argv[1:] for fault in check(Path(name))]
    print("\n".join(told))
    sys.exit(bool(told))
