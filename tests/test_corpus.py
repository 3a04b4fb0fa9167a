"""Code by many hands: each right one passes, each wrong one fails and has no wrong name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from grader.candidate.records import Mark
from grader.course.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from tests.corpus import BadCase, Case, cases, read

RIGHT = [case for case in cases() if case.right]
WRONG = [case for case in cases() if not case.right]
NAMED = 0.9  # the share of wrong ones with a known name that have to be told it

Marked = Callable[[Case], Mark]
behind_the_wall = pytest.mark.isolation


@pytest.fixture(scope="module")
def marked() -> Iterator[Marked]:
    """Marks a case, each once."""
    with Examiner() as examiner:

        @cache
        def mark(case: Case) -> Mark:
            submission = load_submission(case.path, syllabus().names)
            return examiner.mark(submission, [case.exercise]).marks[0]

        yield mark


def _told(mark: Mark) -> str:
    failed = [f"{c.title}: {c.message}" for c in mark.checks if c.outcome != "passed"]
    return "\n".join([f"{mark.verdict} {[d.id for d in mark.diagnosis]}", mark.message, *failed])


def _every(some: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", some, ids=[case.name for case in some])


@behind_the_wall
@pytest.mark.slow
@_every(RIGHT)
def test_a_right_one_passes(case: Case, marked: Marked) -> None:
    mark = marked(case)
    assert mark.verdict == "passed", f"{case.about}\n{_told(mark)}"
    assert not mark.diagnosis
    assert not mark.carried


@behind_the_wall
@pytest.mark.slow
@_every(WRONG)
def test_a_wrong_one_does_not(case: Case, marked: Marked) -> None:
    mark = marked(case)
    assert mark.verdict != "passed", case.about
    assert mark.message or any(check.message for check in mark.checks)
    assert {d.id for d in mark.diagnosis} <= case.named, f"{case.about}\n{_told(mark)}"


@behind_the_wall
@pytest.mark.slow
def test_wrong_ones_are_named(marked: Marked) -> None:
    known = [case for case in WRONG if case.named]
    unnamed = [case.name for case in known if not marked(case).diagnosis]
    assert len(unnamed) <= (1 - NAMED) * len(known), unnamed


def test_a_case_says_what_is_expected_of_it(tmp_path: Path) -> None:
    path = _written(tmp_path, "softmax/wrong/own_way.py", "# wrong: a, b\n# named: c, d_2\nx = 1\n")
    assert read(path) == Case(path, "softmax", False, "a, b", frozenset({"c", "d_2"}))
    path = _written(tmp_path, "softmax/right/own_way.py", "# right: a way of its own\n")
    assert read(path) == Case(path, "softmax", True, "a way of its own")


@pytest.mark.parametrize(
    ("place", "text", "refusal"),
    [
        ("softmaxx/right/own_way.py", "# right: a\n", "a case lies at"),
        ("softmax/correct/own_way.py", "# right: a\n", "a case lies at"),
        ("softmax/right/own_way.txt", "# right: a\n", "a case lies at"),
        ("softmax/right/softmax_.py", "# right: a\n", "two to six words"),
        ("softmax/right/OwnWay.py", "# right: a\n", "two to six words"),
        ("softmax/right/a_b_c_d_e_f_g.py", "# right: a\n", "two to six words"),
        ("softmax/right/own_way.py", "", "first line must be `# right: `"),
        ("softmax/right/own_way.py", "import torch\n# right: a\n", "first line must be"),
        ("softmax/right/own_way.py", "# right: \n", "first line must be"),
        ("softmax/wrong/own_way.py", "# right: a\n", "first line must be `# wrong: `"),
        ("softmax/wrong/own_way.py", "# wrong: encoding: latin-1\n", "read as an encoding"),
        ("softmax/wrong/own_way.py", "# wrong: a\n# named:\n", "`# named: id, id`"),
        ("softmax/wrong/own_way.py", "# wrong: a\n# named: b; c\n", "`# named: id, id`"),
        ("softmax/right/own_way.py", "# right: a\n# named: b\n", "of wrong code alone"),
    ],
)
def test_a_case_that_does_not_is_refused_by_name(
    tmp_path: Path, place: str, text: str, refusal: str
) -> None:
    with pytest.raises(BadCase, match=refusal) as caught:
        read(_written(tmp_path, place, text))
    assert str(caught.value).startswith(place)


def _written(folder: Path, place: str, text: str) -> Path:
    path = folder / place
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path
