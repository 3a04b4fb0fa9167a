"""Looks for the line of a mistake, in a process of its own; knows no card and no kernel.

It reads requests as lines and answers each with a mark, as a line, or with null.
"""

import json
import os
import signal
import sys
from typing import Any

from ..candidate.records import mark_to_json
from ..course.syllabus import syllabus
from ..marking.examiner import Examiner
from ..submission import Cell, Submission
from ..wall.isolation_layers import available
from ..wall.limits import Limits

# Who waits for a line looks elsewhere after a while.
_LIMITS = Limits(wall_seconds=5.0, total_seconds=10.0, submission_seconds=10.0)


def main() -> None:
    """Answer until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is for the kernel
    with os.fdopen(os.dup(1), "w", encoding="ascii") as answers:
        os.dup2(2, 1)  # what is printed is no answer
        with Examiner(trust=not available(), limits=_LIMITS) as examiner:
            for line in sys.stdin:
                answers.write(json.dumps(_answer(examiner, json.loads(line))) + "\n")
                answers.flush()


def _answer(examiner: Examiner, asked: dict[str, Any]) -> Any:
    cells = tuple(Cell(**cell) for cell in asked["cells"])
    submission = Submission("you", frozenset(syllabus().names), cells)
    try:
        marks = examiner.mark(submission, [asked["exercise"]]).marks
    except Exception:  # a line that is not found is no loss
        return None
    return next((mark_to_json(mark) for mark in marks if mark.name == asked["exercise"]), None)


if __name__ == "__main__":
    main()
