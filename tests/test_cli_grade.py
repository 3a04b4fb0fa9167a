"""`grader grade` as people and scripts use it: what it prints, writes and exits with."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cohort import Way
from grader.gradebook.database import FILE
from grader.gradebook.store import Gradebook, GradebookError
from grader.report.class_report import page_name
from tests.command import ISOLATED, RIGHT, SAMPLE, grader, in_a_shell, warm
from tests.marked import gradebook, recorded


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The sample class, graded, and what was said."""
    out = tmp_path_factory.mktemp("sample")
    done = in_a_shell("grade", SAMPLE, "--out", out, "--jobs", 2, "--timeout", 2)
    assert done.returncode == 0, done.stderr
    return out, done.stdout


@ISOLATED
def test_the_sample_class_gets_its_marks(sample: tuple[Path, str]) -> None:
    out, _ = sample
    expected = json.loads((SAMPLE / "expected.json").read_text())
    found = json.loads(grader("export", "json", out).stdout)["submissions"]
    begun = {
        each["learner"]: {
            row["name"]: row["verdict"] for row in each["exercises"] if row["verdict"] != "missing"
        }
        for each in found
    }
    assert begun == expected
    ines = next(each for each in found if each["learner"] == "ines")
    carried = {row["name"]: row["carried"] for row in ines["exercises"] if row["carried"]}
    assert all(names == ["softmax"] for names in carried.values())


@ISOLATED
def test_grade_says_what_became_of_the_class_and_where_the_report_lies(
    sample: tuple[Path, str],
) -> None:
    out, said = sample
    assert "13 submissions marked in " in said
    assert f"Report: {out / 'report' / 'index.html'}" in said
    assert "\x1b" not in said  # a log gets no bar and no colours
    text = (out / "report" / "index.html").read_text()
    assert "13 submissions" in text and "ISOLATION" not in text
    hugo = (out / "report" / "learners" / page_name("hugo")).read_text()
    assert "is no notebook: not JSON at line 1" in hugo


@ISOLATED
def test_trusted_submissions_are_marked_without_isolation_and_the_report_says_so(
    tmp_path: Path,
) -> None:
    (tmp_path / "ann.py").write_text(RIGHT)
    out = tmp_path / "out"
    done = grader("grade", tmp_path / "ann.py", "--out", out, "--trust-submissions")
    assert done.returncode == 0, done.stderr
    assert "WITHOUT ISOLATION" in done.stdout
    assert "WITHOUT ISOLATION" in (out / "report" / "index.html").read_text()
    assert _points(out) == {"ann": 1.0}


def test_without_isolation_it_refuses_and_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(RIGHT)
    empty = {**os.environ, "PATH": str(tmp_path)}  # in which there is no bwrap
    done = in_a_shell("grade", tmp_path / "ann.py", "--out", tmp_path / "out", env=empty)
    assert done.returncode == 2
    assert "bubblewrap" in done.stderr and "apt-get install bubblewrap" in done.stderr
    assert "--trust-submissions" in done.stderr
    assert "holds no gradebook" in grader("export", "csv", tmp_path / "out").stderr


def test_a_first_run_that_is_refused_leaves_no_gradebook_behind(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ann.py").write_text(RIGHT)
    (tmp_path / "class_manifest.csv").write_text(
        "file,learner,time\nann.py,ann,2026-01-31T12:00:00Z\n"
    )
    (tmp_path / "groups.csv").write_text("group,learner\nann,bob\n")  # who is somebody herself
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    groups = ("--attempts", "last", "--groups", tmp_path / "groups.csv")
    done = grader("grade", tmp_path / "class", "--out", out, *groups)
    assert done.returncode == 2 and "call the group otherwise" in done.stderr
    assert {each.name for each in out.iterdir()} == {"notes.txt", "run.lock"}
    assert "holds no gradebook" in grader("export", "csv", out).stderr


@ISOLATED
def test_interrupted_it_exits_with_3_and_goes_on_later(here: Way, tmp_path: Path) -> None:
    submissions = tmp_path / "class"
    submissions.mkdir()
    for number in range(120):
        own = RIGHT.replace("    return", f"    _ = {number}\n    return")  # no two are copies
        (submissions / f"learner_{number}.py").write_text(own)
    out = tmp_path / "out"
    line = [sys.executable, "-m", "grader", "grade", str(submissions), "--out", str(out)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while _recorded(out) < 2:
            with contextlib.suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it ended with {run.wait(0.1)}")
        run.send_signal(signal.SIGINT)
        _, said = run.communicate()
    assert run.returncode == 3
    assert "interrupted" in said and "the same command goes on from here" in said
    before = _recorded(out)
    for each in list(submissions.iterdir())[:110]:
        each.unlink()
    warm(here, "grade", submissions, "--out", out)
    assert _recorded(out) >= before


def _recorded(out: Path) -> int:
    try:
        with Gradebook.open(out) as book:
            return book.count()
    except GradebookError:
        return 0


def _points(out: Path) -> dict[str, float]:
    with Gradebook.open(out) as book:
        return {each.learner: each.points for each in book.submissions()}


@pytest.mark.parametrize(
    ("version", "status", "said"), [(99, 2, "newer grader"), (1, 3, "locked by another program")]
)
def test_a_gradebook_that_cannot_be_written(
    tmp_path: Path, version: int, status: int, said: str
) -> None:
    out = gradebook(tmp_path / "out", recorded("ann", []))
    other = sqlite3.connect(out / FILE, isolation_level=None)
    other.execute(f"PRAGMA user_version = {version}")
    if status == 3:
        other.execute("BEGIN EXCLUSIVE")
    (tmp_path / "ann.py").write_text(RIGHT)
    done = grader("grade", tmp_path / "ann.py", "--out", out)
    other.close()
    assert (done.returncode, said in done.stderr) == (status, True), done.stderr
    assert "Traceback" not in done.stderr
    with sqlite3.connect(out / FILE) as connection:
        assert connection.execute("SELECT learner FROM submission").fetchall() == [("ann",)]
    connection.close()


@pytest.mark.parametrize(
    ("what", "whose"),
    [
        ("class/ann", "ann's own folder"),
        ("class/ann/04_softmax.py", "ann's own folder"),
        ("others", ""),
        ("empty", ""),
    ],
)
def test_what_has_nobody_of_the_gradebook_is_refused_before_anything_changes(
    what: str, whose: str, tmp_path: Path
) -> None:
    out = gradebook(tmp_path / "out", recorded("ann", []), recorded("bob", []))
    for name in ("class/ann", "others", "empty"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("class/ann/04_softmax.py", "others/zoe.py"):
        (tmp_path / name).write_text(RIGHT)
    done = grader("grade", tmp_path / what, "--out", out)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    said = " ".join(done.stderr.split())
    assert f"none of the 2 learners in {out} is in {tmp_path / what}" in said
    assert whose in said and "--include-absent" in said and "another --out" in said
    assert not whose or f"grade the whole folder {tmp_path / 'class'}: only" in said
    with Gradebook.open(out) as book:
        assert ([*book.learners()], book.standing().absent) == (["ann", "bob"], ())
        assert not book.standing().unfinished


@ISOLATED
@pytest.mark.parametrize("what", ["others", "others/zoe.py"])
def test_others_are_added_where_that_is_meant(what: str, here: Way, tmp_path: Path) -> None:
    out = gradebook(tmp_path / "out", recorded("ann", []))
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "zoe.py").write_text("")
    warm(here, "grade", tmp_path / what, "--out", out, "--include-absent")
    warm(here, "grade", tmp_path / "others" / "zoe.py", "--out", out)
    with Gradebook.open(out) as book:
        assert [*book.learners()] == ["ann", "zoe"]
    warm(here, "grade", tmp_path / "others", "--out", out)
    with Gradebook.open(out) as book:
        assert ([*book.learners()], book.standing().absent) == (["zoe"], ("ann",))


@ISOLATED
def test_the_seed_is_drawn_once_and_who_is_gone_or_shares_a_name_is_named(
    here: Way, tmp_path: Path
) -> None:
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    for name in ("ann.py", "bob.py", "Bob.ipynb"):
        (folder / name).write_text("x = 1\n")

    def graded(*options: object) -> tuple[str, str]:
        done = warm(here, "grade", folder, "--out", out, *options)
        with Gradebook.open(out) as book:
            return book.fact("seed"), done.stdout

    drawn, said = graded()
    assert drawn.isdigit() and "seed was" not in said
    (folder / "ann.py").unlink()
    kept, said = graded()
    assert kept == drawn and "0 submissions marked" in said
    assert "not found by the latest one: ann." in said
    assert "Several submissions have one name: Bob and bob." in said
    given, said = graded("--seed", 7)
    assert given == "7" and f"seed was {drawn} and is 7 now" in said
    assert "2 submissions marked" in said
    other = tmp_path / "other"
    other.mkdir()
    (other / "Bob.py").write_text("")
    done = warm(here, "grade", other, "--out", out, "--include-absent")
    assert "the work in this one counts now; of two people, call one otherwise: Bob." in done.stderr

    graded()
    done = grader("export", "canvas", out)
    assert done.returncode == 0 and "ann" not in done.stdout
    assert "ann" in done.stderr and "Bob and bob" in done.stderr
    done = grader("export", "canvas", out, "--include-absent")
    assert done.returncode == 0 and "ann,,,ann,,0.0" in done.stdout


def test_grade_takes_the_flags_that_are_promised() -> None:
    said = grader("grade", "--help").stdout
    flags = "--out --jobs --seed --timeout --memory --trust-submissions --cluster --include-absent"
    assert all(flag in said for flag in flags.split())
