"""A cell that does not parse harms only what needs it."""

from __future__ import annotations

import pytest

from grader.submission import Broken
from tests.submitted import execute, submission


def test_a_broken_cell_harms_only_what_needs_it() -> None:
    work = submission(
        "def softmax(x): return 1",
        "def helper(x): return 2\nfor i in range(3)\n    print(i)",
        "def masked_softmax(x): return helper(x)",
        "def attention(x) return x",
    )
    softmax = work.slice("softmax")
    assert softmax is not None and not softmax.broken
    masked = work.slice("masked_softmax")
    assert masked is not None and masked.units
    [broken] = masked.broken
    assert (broken.label, broken.line) == ("work.ipynb, cell 2", 2)
    attention = work.slice("attention")
    assert attention is not None and not attention.units
    assert str(attention.broken[0]).startswith("work.ipynb, cell 4, line 1: Python 3.")
    assert len(work.broken) == 2


def test_an_earlier_definition_holds_when_a_later_cell_is_broken() -> None:
    cut = submission("def softmax(x): return 1", "def softmax(x):\n    return (2").slice("softmax")
    assert execute(cut)["softmax"](0) == 1
    assert cut is not None and [b.label for b in cut.broken] == ["work.ipynb, cell 2"]


def test_a_later_definition_silences_an_earlier_broken_cell() -> None:
    cut = submission("def softmax(x):\n    return (2", "def softmax(x): return 1").slice("softmax")
    assert cut is not None and not cut.broken


def test_an_answer_that_does_not_parse_is_more_than_a_stub() -> None:
    cut = submission("def softmax(x): ...", "def softmax(x)\n    return 2").slice("softmax")
    assert cut is not None and cut.is_stub and cut.broken


def test_a_deleted_exercise_says_so() -> None:
    cut = submission("def softmax(x): return 1", "del softmax").slice("softmax")
    assert cut is not None and not cut.units
    assert cut.broken[0].label == "work.ipynb, cell 2"


BROKEN_HELPERS = [
    "K = 3\n(",
    "import math, K\n(",
    "from m import K\n(",
    "class K(\n",
    "async def K() return",
    "K: int = 3\n(",
]


@pytest.mark.parametrize("cell", BROKEN_HELPERS)
def test_what_a_broken_cell_would_have_bound(cell: str) -> None:
    cut = submission(cell, "def softmax(x): return K").slice("softmax")
    assert cut is not None and isinstance(cut.broken[0], Broken)
