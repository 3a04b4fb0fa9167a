"""What the hook before a commit finds in notebooks, and what it takes out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode, v4

from grader.curriculum.course import course as chosen_course
from scripts.notebook_form import check

NOTEBOOKS = chosen_course().notebooks

CHAPTER = NOTEBOOKS / "04_softmax.ipynb"


def test_the_course_is_in_form(tmp_path: Path) -> None:
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        copy = tmp_path / path.name
        copy.write_bytes(path.read_bytes())
        assert check(copy) == [] and copy.read_bytes() == path.read_bytes(), path.name


def with_cards(notebook: NotebookNode) -> NotebookNode:
    """As an author's editor saves it after all cells were run."""
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata["editable"] = True
        if cell.cell_type == "code":
            cell.execution_count = number
            cell.outputs = cell.outputs or [v4.new_output("stream", text="softmax: failed\n")]
    notebook.metadata["widgets"] = {}
    return notebook


def with_an_error(notebook: NotebookNode) -> NotebookNode:
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and not cell.metadata]
    code[0].outputs = [v4.new_output("error", ename="E", evalue="", traceback=[])]
    return notebook


def with_an_answer(notebook: NotebookNode) -> NotebookNode:
    for cell in notebook.cells:
        cell.source = cell.source.replace("raise NotImplementedError", "return x")
    return notebook


def test_what_a_run_left_is_taken_out(tmp_path: Path) -> None:
    path = tmp_path / CHAPTER.name
    nbformat.write(with_cards(nbformat.read(CHAPTER, as_version=4)), path)
    assert check(path) == ["what a run had left in it is taken out; add it again"]
    assert check(path) == []
    for cell in nbformat.read(path, as_version=4).cells:
        if "no-stored-output" in cell.metadata.get("tags", ()):
            assert cell.outputs == [] and cell.execution_count is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (with_an_answer, "softmax is solved"),
        (with_an_error, "stores an error"),
    ],
)
def test_what_an_author_must_put_right_is_said(
    change: Callable[[NotebookNode], NotebookNode], told: str, tmp_path: Path
) -> None:
    path = tmp_path / CHAPTER.name
    nbformat.write(change(nbformat.read(CHAPTER, as_version=4)), path)
    line = [sys.executable, "-m", "scripts.notebook_form", str(path)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=NOTEBOOKS.parent)
    assert done.returncode == 1 and told in done.stdout, done.stderr
