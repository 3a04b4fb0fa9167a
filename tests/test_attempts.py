"""Several attempts of one learner: told apart by name and time; the last counts, or the best."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort.attempts import attempts_of, last
from grader.gradebook.store import Gradebook
from grader.submission import Found

NAMES = [
    ("ada+2026-01-31T120000Z.zip", "ada", "2026-01-31T12:00:00Z"),
    ("ada+2026-01-31T120000Z+17.zip", "ada", "2026-01-31T12:00:00Z"),
    ("ada+hw1+2026-01-31 12:00:00.123456 UTC", "ada", "2026-01-31T12:00:00Z"),
    ("ada+hw1+2026-01-31 12:00:00 UTC+x1y2", "ada", "2026-01-31T12:00:00Z"),
    ("ada", "ada", ""),
    ("c++", "c++", ""),
    ("ada+grace", "ada+grace", ""),
    ("ada+2026", "ada+2026", ""),
    ("+2026-01-31T120000Z", "+2026-01-31T120000Z", ""),
]


@pytest.mark.parametrize(("name", "learner", "time"), NAMES)
def test_names_tell_whose_attempt_it_is(name: str, learner: str, time: str) -> None:
    ((found, (attempt,)),) = attempts_of([Found(Path(name), name)]).items()
    assert (found, attempt.learner, attempt.time, attempt.name) == (learner, learner, time, name)


def test_the_last_is_the_latest_whatever_the_order_of_names() -> None:
    names = [
        "ada+z+2026-01-31 12:00:00.5 UTC",
        "ada+a+2026-01-31 12:00:01 UTC",
        "ada+b+2026-01-31 12:00:00 UTC",
        "grace",
    ]
    found = attempts_of(Found(Path(name), name) for name in names)
    assert [each.name for each in found["ada"]] == [names[2], names[0], names[1]]
    assert [each.name for each in last(found)] == [names[1], "grace"]


RIGHT = (
    "def softmax(x, dim):\n    x = (x - x.amax(dim, True)).exp()\n    return x / x.sum(dim, True)\n"
)
WRONG = "def softmax(x, dim):\n    return x\n"


def graded(folder: Path, out: Path, *more: str) -> str:
    done = CliRunner().invoke(app, ["grade", str(folder), "--out", str(out), *more])
    assert done.exit_code == 0, done.output
    return done.output


def points(out: Path) -> dict[str, float]:
    with Gradebook.open(out) as book:
        return {each.learner: each.points for each in book.submissions()}


@pytest.mark.isolation
def test_the_best_counts_and_nothing_is_marked_twice(tmp_path: Path) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    for day, code in (("01", WRONG), ("02", RIGHT), ("03", RIGHT + "\n"), ("04", WRONG)):
        (work / f"ada+2026-02-{day}T120000Z.py").write_text(code, encoding="utf-8")
    (work / "grace.py").write_text(RIGHT, encoding="utf-8")
    graded(work, out, "--attempts", "best")
    assert points(out) == {"ada": 2.0, "grace": 2.0}
    assert "0 submissions marked" in graded(work, out, "--attempts", "best")
    with (out / "attempts.csv").open(encoding="utf-8") as file:
        ada, grace = csv.DictReader(file)
    assert ada == {"learner": "ada", "time": "2026-02-02T12:00:00Z", "attempt": "2", "of": "4"}
    assert grace == {"learner": "grace", "time": "", "attempt": "1", "of": "1"}
    graded(work, out, "--attempts", "last")
    assert points(out) == {"ada": 0.0, "grace": 2.0}
    # The table says when what counts was handed in, which lateness is reckoned from.
    rule = ["--deadline", "2026-02-03T12:00:00Z", "--late", "50% a day"]
    late = ["export", "csv", str(out), *rule, "--times", str(out / "attempts.csv")]
    assert CliRunner().invoke(app, late).exit_code == 0


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["grade", str(tmp_path), "--out", "o", "--attempts", "first"])
    assert done.exit_code == 2
