"""The solved course gets all its points in every form in which people hand work in.

In all but the first some chapters stand for all, which `make corpus` tries.
"""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbconvert import PythonExporter
from nbformat.v4 import new_notebook

from grader.candidate.records import SubmissionMarks
from grader.cli.solve import solve_notebooks
from grader.cohort import Way, grade_class, setup_for
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook

WHOLE = "WHOLE_CORPUS" in os.environ
# What one notebook and a zip of scripts hold: chapters that build on each other, or all.
TOGETHER = syllabus().chapters[slice(None) if WHOLE else slice(3, 7)]
ALONE = syllabus().chapters[:: 1 if WHOLE else 4]  # what somebody hands in alone


def folder(solved: Path, out: Path) -> None:
    """All notebooks in one folder, and the course's own `kit` among them."""
    shutil.copytree(solved, out / "folder")


def merged(solved: Path, out: Path) -> None:
    """Chapters in one notebook, whose imports of earlier exercises are left as they are."""
    paths = [solved / f"{chapter}.ipynb" for chapter in TOGETHER]
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells]
    nbformat.write(new_notebook(cells=cells), out / "merged.ipynb")


def scripts(solved: Path, out: Path) -> None:
    """As `jupyter nbconvert --to script` writes them, in a zip."""
    with zipfile.ZipFile(out / "scripts.zip", "w") as file:
        for chapter in TOGETHER:
            text, _ = PythonExporter().from_filename(str(solved / f"{chapter}.ipynb"))
            file.writestr(f"transformers course/{chapter}.py", text)


FORMS: dict[Callable[[Path, Path], None], tuple[str, ...]] = {
    folder: syllabus().chapters,
    merged: TOGETHER,
    scripts: TOGETHER,
}


@pytest.fixture(scope="module")
def marked(here: Way, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SubmissionMarks]:
    """A class in which each handed in the same in another form, or one chapter of it."""
    solved, out = tmp_path_factory.mktemp("solved"), tmp_path_factory.mktemp("class")
    solve_notebooks(solved)
    for form in FORMS:
        form(solved, out)
    for chapter in ALONE:
        shutil.copy(solved / f"{chapter}.ipynb", out)
    book = tmp_path_factory.mktemp("marks")
    setup = setup_for(0, {"wall_seconds": 20}, trust=False)
    grade_class(out, book, setup, here, lambda step: None)
    with Gradebook.open(book) as opened:
        return {each.learner: each for each in opened.submissions()}


def lost(marks: SubmissionMarks, chapters: tuple[str, ...]) -> dict[str, str]:
    return {
        mark.name: f"{mark.verdict}: {mark.message}"
        for mark in marks.marks
        if mark.chapter in chapters and (mark.points < mark.max_points or mark.carried)
    }


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.__name__))
def test_what_is_solved_gets_all_its_points(
    marked: dict[str, SubmissionMarks], form: Callable[[Path, Path], None]
) -> None:
    marks, chapters = marked[form.__name__], FORMS[form]
    assert lost(marks, chapters) == {}
    points = {each.name: each.points for each in syllabus().exercises if each.chapter in chapters}
    assert marks.points == sum(points.values())


@pytest.mark.parametrize("chapter", ALONE)
def test_each_chapter_alone_gets_all_its_points(
    marked: dict[str, SubmissionMarks], chapter: str
) -> None:
    assert lost(marked[chapter], (chapter,)) == {}
