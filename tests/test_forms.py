"""The solved course gets all its points in every form in which people hand work in."""

from __future__ import annotations

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


def folder(solved: Path, out: Path) -> None:
    """All notebooks in one folder, and the course's own `kit` among them."""
    shutil.copytree(solved, out / "folder")


def merged(solved: Path, out: Path) -> None:
    """All chapters in one notebook, whose imports of earlier exercises are left as they are."""
    paths = sorted(solved.glob("*.ipynb"))
    cells = [cell for path in paths for cell in nbformat.read(path, as_version=4).cells]
    nbformat.write(new_notebook(cells=cells), out / "merged.ipynb")


def scripts(solved: Path, out: Path) -> None:
    """As `jupyter nbconvert --to script` writes them, in a zip."""
    with zipfile.ZipFile(out / "scripts.zip", "w") as file:
        for path in sorted(solved.glob("*.ipynb")):
            text, _ = PythonExporter().from_filename(str(path))
            file.writestr(f"transformers course/{path.stem}.py", text)


FORMS: tuple[Callable[[Path, Path], None], ...] = (folder, merged, scripts)


@pytest.fixture(scope="module")
def marked(here: Way, tmp_path_factory: pytest.TempPathFactory) -> dict[str, SubmissionMarks]:
    """A class in which each handed in the same in another form, or one chapter of it."""
    solved, out = tmp_path_factory.mktemp("solved"), tmp_path_factory.mktemp("class")
    solve_notebooks(solved)
    for form in FORMS:
        form(solved, out)
    for path in solved.glob("*.ipynb"):
        shutil.copy(path, out)
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


@pytest.mark.parametrize("form", [form.__name__ for form in FORMS])
def test_the_solved_course_gets_all_its_points(
    marked: dict[str, SubmissionMarks], form: str
) -> None:
    assert lost(marked[form], syllabus().chapters) == {}
    assert marked[form].points == sum(exercise.points for exercise in syllabus().exercises)


@pytest.mark.parametrize("chapter", syllabus().chapters)
def test_each_chapter_alone_gets_all_its_points(
    marked: dict[str, SubmissionMarks], chapter: str
) -> None:
    assert lost(marked[chapter], (chapter,)) == {}
