"""Right code by many hands passes, and a file of the corpus says what is expected of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import BadCase, Case, cases, read
from tests.marked_cases import Marked, every, sample, shown

RIGHT = sample([case for case in cases() if case.right])


@pytest.mark.isolation
@pytest.mark.slow
@every(RIGHT)
def test_a_right_one_passes(case: Case, marked: Marked) -> None:
    mark = marked(case)
    assert mark.verdict == "passed", f"{case.about}\n{shown(mark)}"
    assert not mark.diagnosis
    assert not mark.carried


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
