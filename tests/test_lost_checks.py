"""A check that is written and not found stops all, whether it is a function or a row of a table."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forks import Forks, forks

ROOT = Path(__file__).parents[1]
CHECKS = """
from grader.marking.check import check, put, row

TABLE = (("test_one", "It is one."), ("test_two", "It is two."), ("test_three", "It is three."))


def made(title):
    def test(candidate):
        pass

    return row("blocks", title, test)


@check("blocks")
def test_four(candidate):
    \"\"\"It is four.\"\"\"


@check("blocks")
def test_five(candidate):
    \"\"\"It is five.\"\"\"


put(globals(), ((name, made(title)) for name, title in TABLE))
"""
LOSES = """
del test_one
test_two = None
test_four = None
put(globals(), [("test_three", made("It is a second one of this name."))])
put(globals(), [("test_five", made("It is a second one of this name."))])
"""
ASKED = """
from grader.marking.check_session import CheckSession

session = CheckSession()
print(*session.names("blocks"), *session.titles("blocks"))
"""


@pytest.fixture(scope="module")
def python() -> Iterator[Forks]:
    with forks(ROOT) as made:
        yield made


def _collected(python: Forks, folder: Path, checks: str) -> subprocess.CompletedProcess[str]:
    (folder / "checks").mkdir(parents=True)
    (folder / "course.toml").write_text("", "utf-8")
    (folder / "syllabus.toml").write_text("", "utf-8")
    (folder / "checks" / "check_blocks.py").write_text(checks, "utf-8")
    return python.run(ASKED, GRADER_COURSE=str(folder))


def test_rows_are_checks_as_functions_are(python: Forks, tmp_path: Path) -> None:
    done = _collected(python, tmp_path / "blocks", CHECKS)
    names = "test_four test_five test_one test_two test_three"
    titles = "It is four. It is five. It is one. It is two. It is three."
    assert done.stdout == f"{names} {titles}\n", done.stderr


def test_a_lost_check_is_noticed(python: Forks, tmp_path: Path) -> None:
    done = _collected(python, tmp_path / "blocks", CHECKS + LOSES)
    assert done.returncode
    lost = [("check_blocks.py", f"test_{name}") for name in ("five", "four", "one", "three", "two")]
    assert done.stderr.endswith(f"checks could not be collected:\n{lost}\n")
