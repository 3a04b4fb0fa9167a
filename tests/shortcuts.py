"""Code with and without ready-made functions in plain sight, and what is found in it."""

from __future__ import annotations

from grader.curriculum.syllabus import syllabus
from grader.submission.shortcuts import find
from tests.submitted import submission

SOFTMAX = syllabus()["softmax"].forbidden
NAMES = frozenset(syllabus().names)


def found(code: str, exercise: str = "softmax") -> list[tuple[str, int | None]]:
    """The ready-made functions in one notebook's code, each with its line."""
    cut = submission(code, exercises=NAMES).slice(exercise)
    assert cut is not None
    forbidden = syllabus()[exercise].forbidden
    return [(each.name, each.line) for each in find(cut, forbidden)]


def body(code: str, imports: str = "import torch") -> str:
    """A softmax that does this, on its third line."""
    return f"{imports}\ndef softmax(x, dim):\n    {code}"
