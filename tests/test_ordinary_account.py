"""What people do with the grader who are not root, on machines that are not kept tidy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.gradebook.store import Gradebook
from grader.wall.isolation_layers import available
from tests import ordinary_account as account
from tests.bundles import copy_of_package

SAMPLE = account.ROOT / "tests" / "sample_class"
pytestmark = [
    pytest.mark.isolation,
    pytest.mark.skipif(not available(), reason="submissions cannot be isolated here"),
]
# What a learner has, in a folder of their own making; nothing in there may be written.
_CLONE = "Übung für später"


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with account.home() as folder:
        for part in ("grader", "solutions"):
            copy_of_package(part, folder / _CLONE)
        submissions = folder / "the class"
        submissions.mkdir()
        shutil.copy(SAMPLE / "bela.py", submissions)
        (submissions / "closed").mkdir()
        shutil.copy(SAMPLE / "ines.py", submissions / "closed")
        shutil.copy(SAMPLE / "ines.py", submissions / "unreadable.py")
        account.own(folder)
        for path in (folder / _CLONE).rglob("*"):
            path.chmod(0o555 if path.is_dir() else 0o444)
        (submissions / "closed").chmod(0)
        (submissions / "unreadable.py").chmod(0)
        yield folder
        for path in (submissions / "closed", *(p for p in folder.rglob("*") if p.is_dir())):
            path.chmod(0o755)


def grader(*arguments: object) -> list[str]:
    return account.python("-m", "grader", *arguments)


def test_a_class_is_graded_under_all_hard_conditions_at_once(home: Path) -> None:
    """No home, no folder for temporary files, few open files, nothing shared with others,

    a read-only clone in a folder with spaces and umlauts, closed folders among the submissions and
    on Python's path, and a terminal that knows only ASCII.
    """
    marks = home / "möglich gemacht"
    line = grader("grade", home / "the class", "--out", marks)
    limits = 'ulimit -n 256; umask 077; exec "$@"'
    environment = {
        "TMPDIR": str(home / "missing"),
        "PYTHONIOENCODING": "ascii",
        "PYTHONPATH": str(home / "the class" / "closed"),
    }
    cwd = home / _CLONE
    done = account.run("sh", "-c", limits, "sh", *line, cwd=cwd, environment=environment)
    assert done.returncode == 0, done.stderr
    assert "Permission" not in done.stderr and "Traceback" not in done.stderr
    assert done.stdout.count("cannot be read (Permission denied)") == 2
    pages = [page.read_text() for page in (marks / "report").rglob("*.html")]
    assert sum("Permission denied" in page for page in pages) == 3  # theirs, and the class's
    with Gradebook.open(marks) as book:
        found = {each.learner: each.points for each in book.submissions()}
    assert set(found) == {"bela", "closed", "unreadable"} and found["bela"] > 0
    assert {path.stat().st_mode & 0o077 for path in marks.rglob("*")} == {0}


def test_every_layer_but_the_control_group_is_there(home: Path) -> None:
    done = account.run(*grader("doctor"), cwd=home / _CLONE)
    assert "can be graded on this machine" in done.stdout, done.stdout + done.stderr
    absent = [line for line in done.stdout.splitlines() if " absent " in line]
    assert all("control group" in line for line in absent)


def test_a_notebook_is_checked_where_no_temporary_file_has_room(home: Path) -> None:
    done = account.run(
        *grader("check", home / "the class" / "bela.py", "--exercise", "softmax"),
        cwd=home / _CLONE,
        environment={"PYTHONIOENCODING": "ascii", "HOME": str(home)},
        full="/tmp",
    )
    assert done.stdout.startswith("+ softmax: passed, 2 of 2 points"), done.stdout + done.stderr


@pytest.mark.skipif(account.ROOT.is_relative_to("/tmp"), reason="this clone is in /tmp itself")
def test_without_a_folder_for_temporary_files_the_one_thing_to_do_is_said(home: Path) -> None:
    done = account.run(*grader("doctor"), cwd=home / _CLONE, missing="/tmp")
    assert "sudo install -d -m 1777 /tmp" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("export", "json"), ("grade", SAMPLE, "--out")])
def test_what_may_not_be_entered_is_said_in_a_sentence(
    home: Path, command: tuple[str, ...]
) -> None:
    done = account.run(*grader(*command, home / "the class" / "closed" / "x"), cwd=home / _CLONE)
    assert done.returncode == 2
    assert done.stderr.startswith("grader: ") and "Permission denied" in done.stderr
    assert "Traceback" not in done.stderr
