"""The `grader` command as people and scripts use it: what it prints, writes and exits with."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.main import get_group

from grader.candidate.records import Verdict
from grader.cli import app
from grader.gradebook.store import Gradebook
from grader.wall.isolation_layers import available
from tests.command import ISOLATED, SAMPLE, grader
from tests.marked import gradebook, mark, recorded

COMMANDS = get_group(app).commands
EACH_EXPORT = """
import sys
from grader.cli import app, main
from grader.cohort import Way

for sys.argv in {}:
    try:
        main()
    except SystemExit as end:
        assert not end.code
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["grade"],
        ["grade", "nowhere", "--out", "out"],
        ["grade", ".", "--out", "out", "--jobs", "0"],
        ["grade", "."],
        ["export", "papyrus", "."],
        ["export", "json", "."],
        ["check", "nowhere.ipynb"],
        ["check", ".", "--exercise", "sofmax"],
        ["diff", ".", "."],
        ["arrange", ".", "out", "--roster", "nowhere.csv"],
        ["no-such-command"],
    ],
    ids=" ".join,
)
def test_bad_usage_exits_with_2_and_says_why(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = grader(*arguments)
    assert done.returncode == 2
    assert done.stderr.strip() and "Traceback" not in done.stderr and "Errno" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_export_of_an_incomplete_gradebook_fails_unless_asked_for(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("ann", []))
    with Gradebook.create(tmp_path) as book:
        book.begin("class", ["ann", "bob"], others="absent")  # and is killed
    done = grader("export", "csv", tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "has not ended" in done.stderr and "--incomplete" in done.stderr
    done = grader("export", "csv", tmp_path, "--incomplete")
    assert done.returncode == 0 and "unfinished" in done.stdout
    assert "has not ended" in done.stderr


def test_export_writes_bytes_that_survive_any_locale(tmp_path: Path) -> None:
    gradebook(tmp_path, recorded("Åsa ünïcode", [mark(said="d ≠ √d")]))
    posix = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    forms = ("csv", "junit", "moodle", "canvas")
    lines = [["grader", "export", form, str(tmp_path)] for form in forms]
    done = subprocess.run(
        [sys.executable, "-c", EACH_EXPORT.format(lines)], capture_output=True, env=posix
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8").count("Åsa ünïcode") >= len(forms)


def test_export_into_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    gradebook(tmp_path, *(recorded(f"{n:03}", [mark()]) for n in range(60)))
    line = f"{sys.executable} -m grader export json {tmp_path} | head -c 10"
    done = subprocess.run(line, shell=True, capture_output=True, text=True)
    assert done.stdout == '{"schema":' and "Traceback" not in done.stderr


def test_diff_says_whose_marks_moved_and_why(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    wrong, right = (
        recorded("ann", [mark()]),
        recorded("ann", [mark(verdict=mark().verdict.PASSED, points=2.0)]),
    )
    gradebook(first, wrong, recorded("bob", []))
    gradebook(second, right, recorded("zoe", []))
    said = grader("diff", first, second).stdout
    assert "ann softmax: failed, 0 of 2 → passed, 2 of 2; neither the code nor" in said
    assert "    Values: said failed → not there" in said
    assert "bob: a submission → no submission; not handed in in the second" in said
    assert "zoe: no submission → a submission; handed in in the second" in said
    assert "Moved: points of 1 learner; 2 learners in one gradebook alone." in said
    assert grader("diff", first, first).stdout == "No mark moved.\n"
    with Gradebook.create(second) as book:
        book.state("seed", "7")
        book.begin("class", ["zoe"], others="absent")
    said = grader("diff", first, second).stdout
    assert "ann: a submission → no submission; not handed in in the second" in said
    assert "Their seeds differ:" in said and "has not ended" in said


def test_diff_shows_what_somebody_acts_on_alone(tmp_path: Path) -> None:
    passed = Verdict.PASSED
    before = [
        mark("attention_scores", passed, 2.0, carried=("softmax",)),
        replace(mark("padding_mask", Verdict.ERROR), checks=()),  # there is nothing to compare
        mark(),
    ]
    after = [
        mark("attention_scores", passed, 2.0),
        mark("causal_mask", Verdict.NOT_STARTED),  # it was missing
        mark("padding_mask", passed, 1.0),
        mark(verdict=Verdict.ERROR),
    ]
    books = (
        gradebook(tmp_path / name, recorded("ann", marks))
        for name, marks in (("a", before), ("b", after))
    )
    said = grader("diff", *books).stdout.splitlines()
    assert [line.partition("; ")[0] for line in said[:2]] == [
        "ann padding_mask: error, 0 of 1 → passed, 1 of 1",
        "ann softmax: failed, 0 of 2 → error, 0 of 2",
    ]
    only = "only what it carries, or the word for an answer never begun, is another"
    assert said[2:] == [f"Moved: points of 1 learner. Not shown: 2 marks of which {only}."]


@ISOLATED
def test_check_marks_ones_own_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = grader("check", SAMPLE / "chen.ipynb", "--exercise", "attention_scores")
    assert done.returncode == 0, done.stderr
    assert "attention_scores: failed, 0 of 2 points" in done.stdout
    assert "Think about: " in done.stdout
    assert "softmax" not in done.stdout.split("attention_scores: ")[0]
    assert list(tmp_path.iterdir()) == []


def test_solve_writes_solved_notebooks(tmp_path: Path) -> None:
    done = grader("solve", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.ipynb"))) > 0
    assert "solved notebooks lie in" in done.stdout


def test_doctor_shows_layers_and_versions() -> None:
    done = grader("doctor")
    assert done.returncode == 0, done.stderr
    for said in ("bubblewrap", "Python", "torch", "kernel"):
        assert said in done.stdout
    if available():
        assert "present" in done.stdout
        assert "Submissions of strangers can be graded on this machine." in done.stdout


def test_help_is_quick_and_names_every_command() -> None:
    done = grader("--help")
    rows = {line.strip().partition(" ")[0] for line in done.stdout.splitlines()}
    assert len(COMMANDS) > 20 and {*COMMANDS} <= rows
    code = "import sys, grader.cli.grading; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).stdout == b"False\n"


def test_the_entry_point_is_the_command() -> None:
    script = Path(sys.executable).parent / "grader"
    if not script.exists():
        pytest.skip("not installed as a package")
    done = subprocess.run([script, "export", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and "FORMAT" in done.stdout
