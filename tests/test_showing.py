"""What a page and the gradebook show of an answer is bounded, and what is left out is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.cohort import Way
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.text import visible
from grader.submission import Cell, Submission, own_code
from grader.submission.showing import Showing
from tests.cohorts import graded

NAMES = frozenset(syllabus().names)
LINE = "    x = a[0] + 1 * 2 - 3 / 4\n"
HELPERS = {
    "signs that do not show": "    # " + "\U000e0001" * 19_000 + "\n",
    "comments": "    # a comment\n" * 1_500,
    "blank lines": "\n" * 19_000,
    "code": LINE * 590,
    "one line": f"    x = [{'1, ' * 5_000}]\n",
}


def shown(out: Path, learner: str) -> dict[str, list[tuple[str, int, str]]]:
    with Gradebook.open(out) as book:
        return {each.mark.name: [*each.source] for each in book.entries(learner)}


@pytest.mark.parametrize("kind", HELPERS)
def test_what_is_shown_of_a_learner_is_bounded(kind: str) -> None:
    """A helper that all exercises use costs once, and a little more."""
    source = f"def helper(*a):\n{HELPERS[kind]}    return a[0]\n"
    source += "".join(f"def {name}(*a, **k):\n    return helper(*a)\n" for name in NAMES)
    submission = Submission("ann", NAMES, (Cell(source, "ann.py", "ann.py", 0),))
    showing, sizes = Showing(), 0
    for name in sorted(NAMES):
        cut = submission.slice(name)
        assert cut is not None
        units = showing.of(own_code(cut, NAMES))
        assert any(f"def {name}(" in unit.code for unit in units), name
        sizes += sum(len(visible(unit.code)) for unit in units)
    assert sizes < 100_000
    if kind in ("comments", "blank lines"):
        assert sizes < 30_000, "they are cut with a sentence, each time"


def test_lines_have_their_numbers_around_what_is_cut(here: Way, tmp_path: Path) -> None:
    above = "def softmax(x, dim):\n    y = x\n"
    source = above + "    # a thought\n" * 40 + "\n" * 10 + "    return y\n"
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ann.py").write_text(source, encoding="utf-8")
    graded(tmp_path / "class", tmp_path / "out", here)
    first, second = shown(tmp_path / "out", "ann")["softmax"]
    assert first[2].startswith(above) and first[1] == 1
    assert first[2].endswith("\n# … 45 lines of comments, and blank ones, are not shown here")
    assert second[1:] == (source.split("\n").index("    return y") + 1, "    return y")


def test_what_a_comment_or_a_text_names_hides_no_code(here: Way, tmp_path: Path) -> None:
    source = 'def softmax(x, dim):\n    """\ndef gelu(x):\n    """\n    return x\n'
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ann.py").write_text(source, encoding="utf-8")
    graded(tmp_path / "class", tmp_path / "out", here)
    ((_, _, code),) = shown(tmp_path / "out", "ann")["softmax"]
    assert code == source.rstrip()
