"""Implementations by many hands: each right one passes, each wrong one fails under its right name.

The `manifest.jsonl` of each family says of each file what is expected; `names` holds the
diagnoses that would be right for a wrong one. None at all is better than a wrong one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.candidate.records import Mark
from grader.course.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission

pytestmark = [pytest.mark.isolation, pytest.mark.slow]

HERE = Path(__file__).parent / "implementations"
FAMILIES = ("functions", "modules")
ROWS = [
    {**row, "file": f"{family}/{row['file']}"}
    for family in FAMILIES
    for row in map(json.loads, (HERE / family / "manifest.jsonl").read_text("utf-8").splitlines())
]
CORRECT = [row for row in ROWS if row["expected"] == "passed"]
WRONG = [row for row in ROWS if row["expected"] == "failed"]
NAMED = 0.9  # the share of wrong ones with a known name that have to be told it

Row = dict[str, Any]
Marked = Callable[[Row], Mark]


@pytest.fixture(scope="module")
def marked() -> Iterator[Marked]:
    """Marks the exercise of a file, each file once."""
    with Examiner() as examiner:

        @cache
        def mark(file: str, exercise: str) -> Mark:
            submission = load_submission(HERE / file, syllabus().names)
            return examiner.mark(submission, [exercise]).marks[0]

        yield lambda row: mark(row["file"], row["exercise"])


def _told(mark: Mark) -> str:
    failed = [f"{c.title}: {c.message}" for c in mark.checks if c.outcome != "passed"]
    return "\n".join([f"{mark.verdict} {[d.id for d in mark.diagnosis]}", mark.message, *failed])


def _every(rows: list[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("row", rows, ids=[row["file"] for row in rows])


def test_the_manifest_lists_every_file() -> None:
    files = sorted(str(path.relative_to(HERE)) for path in HERE.glob("*/*/*.py"))
    assert files == sorted(row["file"] for row in ROWS)
    assert {row["exercise"] for row in ROWS} <= set(syllabus().names)


@_every(CORRECT)
def test_a_right_one_passes(row: Row, marked: Marked) -> None:
    mark = marked(row)
    assert mark.verdict == "passed", f"{row['style']}\n{_told(mark)}"
    assert not mark.diagnosis
    assert not mark.carried


@_every(WRONG)
def test_a_wrong_one_does_not(row: Row, marked: Marked) -> None:
    mark = marked(row)
    assert mark.verdict != "passed", row["bug"]
    assert {d.id for d in mark.diagnosis} <= set(row["names"]), f"{row['bug']}\n{_told(mark)}"


def test_wrong_ones_are_named(marked: Marked) -> None:
    known = [row for row in WRONG if row["names"]]
    unnamed = [row["file"] for row in known if not marked(row).diagnosis]
    assert len(unnamed) <= (1 - NAMED) * len(known), unnamed
