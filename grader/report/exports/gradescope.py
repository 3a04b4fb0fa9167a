"""Writes one learner's marks as Gradescope's results.json; knows no other learner."""

import json
from typing import Any, TextIO

from ...candidate.records import SubmissionMarks, Verdict
from ...gradebook.store import Gradebook
from . import Options, one_submission
from .feedback import above_all, begun_and_idle, in_full


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """A test for each exercise that was begun, and one for all that were not: they add up to the
    maximum."""
    json.dump(results(one_submission(book, options)), out, indent=1)
    out.write("\n")


def results(submission: SubmissionMarks) -> dict[str, Any]:
    """The object that `/autograder/results/results.json` holds."""
    begun, idle = begun_and_idle(submission)
    tests = [
        {
            "score": mark.points,
            "max_score": mark.max_points,
            "status": "passed" if mark.verdict is Verdict.PASSED else "failed",
            "name": f"{mark.name}: {mark.verdict}",
            "number": str(number),
            "output": in_full(mark),
            "tags": [mark.chapter],
            "visibility": "visible",
            "extra_data": {"verdict": str(mark.verdict), "carried": list(mark.carried)},
        }
        for number, mark in enumerate(begun, 1)
    ]
    not_begun = {
        "score": 0.0,
        "max_score": sum(mark.max_points for mark in idle),
        "status": "failed",
        "name": "not begun",
        "number": str(len(tests) + 1),
        "output": ", ".join(mark.name for mark in idle),
        "visibility": "visible",
    }
    return {
        "score": submission.points,
        "output": "\n".join(above_all(submission)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [*tests, not_begun] if idle else tests,
    }
