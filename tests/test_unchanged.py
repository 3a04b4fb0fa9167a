"""What has not changed to the byte is not read again, and whatever has changed is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import Way
from grader.cohort.unchanged import bytes_of
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.submission import Found
from tests.marked import mark, recorded
from tests.submitted import write_notebook, write_zip

WRONG, OTHER = "def softmax(x, dim):\n    return x\n", "def softmax(x, dim):\n    return 2 * x\n"


def made(folder: Path) -> Path:
    work = folder / "ann"
    (work / "deep").mkdir(parents=True)
    write_notebook(work / "a.ipynb", WRONG)
    write_zip(work / "deep" / "b.zip", ("b.py", OTHER))
    (work / "data.csv").write_text("1,2\n", encoding="utf-8")
    (work / "picture.png").write_bytes(b"x")
    return work


CHANGES: dict[str, Callable[[Path], object]] = {
    "a cell": lambda work: write_notebook(work / "a.ipynb", OTHER),
    "within an archive": lambda work: write_zip(work / "deep" / "b.zip", ("b.py", WRONG)),
    "data": lambda work: (work / "data.csv").write_text("1,3\n", encoding="utf-8"),
    "a name": lambda work: (work / "a.ipynb").rename(work / "c.ipynb"),
    "a folder": lambda work: (work / "deep").rename(work / "deeper"),
    "one more": lambda work: (work / "c.py").write_text("", encoding="utf-8"),
    "one less": lambda work: (work / "data.csv").unlink(),
    "a link": lambda work: (work / "d.py").symlink_to("a.ipynb"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_every_change_shows(case: str, tmp_path: Path) -> None:
    work = made(tmp_path)
    before = bytes_of(Found(work, "ann"))
    assert before and before == bytes_of(Found(work, "bob"))
    os.utime(work / "a.ipynb", (0, 0))
    assert before == bytes_of(Found(work, "ann")), "when it was written says nothing"
    CHANGES[case](work)
    assert before != bytes_of(Found(work, "ann"))


def test_of_too_much_nothing_is_said(tmp_path: Path) -> None:
    for number in range(3):
        with (tmp_path / f"{number}.py").open("wb") as file:
            file.truncate(99_000_000)
    assert bytes_of(Found(tmp_path, "ann")) == ""


@pytest.mark.isolation
def test_an_unchanged_class_is_not_marked_and_a_changed_one_is(here: Way, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    path = tmp_path / "class" / "ann.py"

    def graded(code: str) -> str:
        path.write_text(code, encoding="utf-8")
        arguments = ["grade", str(tmp_path / "class"), "--out", str(tmp_path / "marks")]
        done = CliRunner().invoke(app, arguments, obj=here)
        assert done.exit_code == 0, done.output
        return done.output

    assert "1 submission marked" in graded(WRONG)
    assert "0 submissions marked" in graded(WRONG)
    # What is nearly called like an exercise has a say in the mark of what is missing.
    said = graded(f"{WRONG}\n\n{WRONG.replace('softmax', 'masked_softmx')}")
    assert "1 submission marked" in said and "failed 1, error 1" in said
    said = graded(WRONG)
    assert "1 submission marked" in said and "failed 1\n" in said


def test_marks_that_were_recorded_and_not_seen_are_read_again(tmp_path: Path) -> None:
    """A run that is killed between the two leaves nothing that a later one takes for seen."""
    with Gradebook.create(tmp_path) as book:
        book.record(recorded("ann", [mark()]), syllabus().names)
        book.see("ann", "bytes", "settings")
        assert book.seen() == {"ann": ("bytes", "settings")}
        book.record(recorded("ann", [mark(points=1.0)]), syllabus().names)
        assert book.seen() == {}
