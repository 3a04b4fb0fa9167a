"""Writes one learner's marks as a classroom50/result/v1; knows no other learner."""

import json
import re
from pathlib import Path
from typing import Any, TextIO

from ...candidate.records import SubmissionMarks, Verdict
from ...curriculum.complaint import Complaint
from ...gradebook.store import Gradebook
from ..standing import doubts
from . import Options, one_submission
from .feedback import begun_and_idle, in_full

SCHEMA = "classroom50/result/v1"
# What only the platform knows; read from the file that `--context` names.
_REQUIRED = (
    *("classroom", "assignment", "assignment_type", "owner", "submission", "commit"),
    *("release", "review", "datetime"),
)
_OPTIONAL = ("graded_at", "submitted_by")
_DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
# Scores are integers there, and points have two decimals.
_FACTOR = 100


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """One test for each exercise that was begun, and one for all that were not: they add up to the
    maximum. Scores are hundredths of a point."""
    if options.context is None:
        raise Complaint(f"give --context, a JSON file with {', '.join(_REQUIRED)}")
    context = _context(options.context)
    json.dump(result(one_submission(book, options), context), out, indent=1)
    out.write("\n")


def result(submission: SubmissionMarks, context: dict[str, Any]) -> dict[str, Any]:
    """The object that the platform reads."""
    begun, idle = begun_and_idle(submission)
    tests = [
        {
            "test-name": mark.name,
            "passed": mark.verdict is Verdict.PASSED,
            "score": _whole(mark.points),
            "max-score": _whole(mark.max_points),
            "verdict": str(mark.verdict),
            "output": "\n".join([*doubts(submission), in_full(mark)]),
        }
        for mark in begun
    ]
    not_begun = {
        "test-name": "not begun",
        "passed": False,
        "score": 0,
        "max-score": sum(_whole(mark.max_points) for mark in idle),
        "output": ", ".join(mark.name for mark in idle),
    }
    return {
        "schema": SCHEMA,
        **context,
        "score": _whole(submission.points),
        "max-score": _whole(submission.max_points),
        "tests": [*tests, not_begun] if idle else tests,
    }


def _whole(value: float) -> int:
    return round(value * _FACTOR)


def _context(path: Path) -> dict[str, Any]:
    try:
        context = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Complaint(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(context, dict):
        raise Complaint(f"{path} holds no object")
    missing = [name for name in _REQUIRED if name not in context]
    unknown = [name for name in context if name not in (*_REQUIRED, *_OPTIONAL)]
    if missing or unknown:
        told = f"lacks {missing[0]!r}" if missing else f"has {unknown[0]!r}, which is not allowed"
        raise Complaint(f"{path} {told}")
    if not str(context["submission"]).startswith("submit"):
        raise Complaint(f"{path}: submission must begin with 'submit'")
    for name in ("datetime", "graded_at"):
        if name in context and not _DATETIME.fullmatch(str(context[name])):
            raise Complaint(f"{path}: {name} must look like 2026-01-31T12:00:00Z")
    return context
