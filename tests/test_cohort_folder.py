"""Whose marks a gradebook holds after a folder has changed; nothing is run for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.cohort import Result, grade_class
from grader.cohort.keys import content_of
from grader.cohort.lock import held
from grader.cohort.messages import Task, TaskResult
from grader.curriculum.complaint import Complaint
from grader.curriculum.syllabus import syllabus
from grader.gradebook.entries import Entry, Recorded
from grader.gradebook.store import Gradebook
from grader.marking.attempt import unusable
from grader.submission import load_submission
from tests.cohorts import SETUP, Answering, verdicts

STUB, NOTHING = "def sentence_vector(h):\n    raise NotImplementedError\n", "x = 1\n"


@pytest.fixture
def light(tmp_path: Path) -> Path:
    """Three submissions in which nothing is begun."""
    path = tmp_path / "light"
    path.mkdir()
    for name in ("ann", "bob", "cem"):
        (path / f"{name}.py").write_text(NOTHING)
    return path


def recorded(path: Path, out: Path, **more: bool) -> Result:
    """Recorded without an examiner, which is not needed where there is nothing to run."""

    def unrun(tasks: Iterable[Task]) -> Iterator[TaskResult]:
        for task in tasks:
            read = load_submission(task.path, syllabus().names, learner=task.learner)
            content = content_of(read)
            if task.known and task.known.content == content:
                yield TaskResult(task.learner)
                continue
            marks = (unusable(each, read.slice(each.name)) for each in syllabus().exercises)
            entries = tuple(Entry("", "", mark) for mark in marks if mark is not None)
            new = Recorded(task.learner, content, SETUP.settings, True, read.problems, entries)
            yield TaskResult(task.learner, new)

    return grade_class(path, out, SETUP, lambda setup: Answering(unrun), lambda step: None, **more)


def test_learners_who_are_not_in_the_folder_are_kept_and_left_out(
    light: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").rename(light / "renamed.py")
    assert recorded(light, out) == Result(3, 1, ())
    assert verdicts(out).keys() == {"renamed", "bob", "cem"}
    with Gradebook.open(out) as book:
        assert (book.count(), book.standing().absent) == (4, ("ann",))
    (light / "renamed.py").rename(light / "ann.py")
    assert recorded(light, out) == Result(3, 0, ())  # as if it had never been away
    assert verdicts(out).keys() == {"ann", "bob", "cem"}


def test_another_form_of_a_submission_is_the_same_learners(light: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").unlink()
    (light / "ann").mkdir()
    (light / "ann" / "work.py").write_text(STUB)
    assert recorded(light, out) == Result(3, 1, ())
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_another_persons_file_detaches_no_mark(light: Path, tmp_path: Path) -> None:
    """Two who hand in under one name: nobody gets the marks that one of them had before."""
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").write_text(STUB)
    (light / "ann.zip").write_bytes(b"")
    for path in (light / "ann.py", light):  # also where it is graded alone
        recorded(path, out)
        assert "ann" not in verdicts(out)
        assert verdicts(out)["ann.py"] == "not started"
    with Gradebook.open(out) as book:
        assert book.standing().alike == (("ann.py", "ann.zip"),)
    (light / "ann.zip").unlink()
    recorded(light, out)
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_one_submission_leaves_the_others_of_its_class_as_they_are(
    light: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").write_text(STUB)
    assert recorded(light / "ann.py", out) == Result(1, 1, ())
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_another_folder_takes_the_place_of_the_first_unless_both_are_the_class(
    light: Path, tmp_path: Path
) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    other.mkdir()
    (other / "zoe.py").write_text(NOTHING)
    recorded(light, out)
    assert recorded(other, out) == Result(1, 1, ())
    assert verdicts(out) == {"zoe": "missing"}
    assert recorded(other, out, include_absent=True) == Result(1, 0, ())
    assert verdicts(out).keys() == {"ann", "bob", "cem", "zoe"}


def test_a_second_run_on_the_same_folder_is_told_who_holds_it(tmp_path: Path) -> None:
    with held(tmp_path):
        with (
            pytest.raises(Complaint, match=rf"process {os.getpid()} on ") as caught,
            held(tmp_path),
        ):
            raise AssertionError
        assert "wait until it has ended" in str(caught.value)
    with held(tmp_path):  # free again
        pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from grader.cohort.lock import held\n"
        "with held(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
    )
    line = [sys.executable, "-c", code, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(line, text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "held\n"
        with pytest.raises(Complaint, match=rf"process {other.pid} on "), held(tmp_path):
            raise AssertionError
        other.kill()
    with held(tmp_path):
        pass
