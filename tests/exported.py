"""Exports as a text, for the tests of what imports them, and a class of two to export."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from grader.candidate.records import Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.exports import Options, export
from tests.marked import gradebook, mark, recorded

MAX_POINTS = sum(exercise.points for exercise in syllabus().exercises)
# What Classroom 50 says of a hand-in.
CONTEXT = {
    "classroom": "transformers",
    "assignment": "course",
    "assignment_type": "individual",
    "owner": "ann",
    "submission": "submit/1",
    "commit": "abc",
    "release": "r1",
    "review": "",
    "datetime": "2026-06-01T12:00:00Z",
}


def exported(form: str, folder: Path, **options: Any) -> str:
    """What this form says of a gradebook."""
    out = io.StringIO()
    with Gradebook.open(folder) as book:
        export(form, book, out, Options(**options))
    out.getvalue().encode("utf-8")  # whatever was handed in, it is text
    return out.getvalue()


def two_learners(folder: Path) -> Path:
    """One with a wrong softmax, one who has it right and nothing else."""
    return gradebook(
        folder,
        recorded("ann", [mark(said="here"), mark("causal_mask", Verdict.PASSED, 1.0)]),
        recorded("bob", [mark(verdict=Verdict.PASSED, points=2.0, carried=("attention_scores",))]),
    )
