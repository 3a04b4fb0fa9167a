"""Makes classes of any size from correct, wrong and hostile submissions; a seed fixes them."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import nbformat

CASES = Path(__file__).parents[1] / "tests" / "submissions"
# What a hostile learner hands in; each ends at once, so that figures are not those of a timeout.
HOSTILE = (
    "import os\ndef softmax(x, dim):\n    os._exit(0)",
    "import ctypes\ndef softmax(x, dim):\n    ctypes.string_at(0)",
    "class Yes:\n    def __eq__(self, other): return True\ndef softmax(x, dim):\n    return Yes()",
    "import sys\ndef softmax(x, dim):\n    sys.exit(0)",
    "import os\ndef softmax(x, dim):\n    return [os.write(fd, b'passed') for fd in range(3, 64)]",
)


def cases(kind: str, exercises: tuple[str, ...] | None = None) -> dict[str, list[str]]:
    """Sources by exercise of the `passed` or the `failed` cases."""
    found: dict[str, list[str]] = {}
    for line in (CASES / "manifest.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        wanted = exercises is None or row["exercise"] in exercises
        if row["expected"] == kind and wanted:
            text = (CASES / row["file"]).read_text(encoding="utf-8")
            found.setdefault(row["exercise"], []).append(text)
    return found


def make_class(
    folder: Path,
    size: int,
    *,
    right: float = 0.6,
    hostile: bool = True,
    exercises: tuple[str, ...] | None = None,
    distinct: bool = False,
    seed: int = 0,
) -> Path:
    """`size` notebooks; a share `right` of answers is correct, every tenth learner hostile.

    There are but a few cases of each exercise, so many learners hand in the same; with `distinct`
    no two do, as each of their functions says something of its own that has no effect.
    """
    folder.mkdir(parents=True)
    draw = random.Random(seed)
    correct, wrong = cases("passed", exercises), cases("failed", exercises)
    for number in range(size):
        notebook = nbformat.v4.new_notebook()
        for exercise in correct:
            pool = correct if draw.random() < right else wrong
            source = draw.choice(pool[exercise])
            if distinct:
                source = _told_apart(source, number)
            notebook.cells.append(nbformat.v4.new_code_cell(source, id=f"cell-{exercise[:30]}"))
        if hostile and number % 10 == 9:
            notebook.cells.append(nbformat.v4.new_code_cell(draw.choice(HOSTILE), id="last"))
        nbformat.write(notebook, folder / f"learner_{number:05d}.ipynb")
    return folder


def _told_apart(source: str, number: int) -> str:
    """The same code, with a statement in every function that no other learner has."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            has_docstring = ast.get_docstring(node) is not None
            node.body.insert(int(has_docstring), ast.parse(f"_ = {number}").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))
