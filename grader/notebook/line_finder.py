"""Looks for the line of a mistake, in a process of its own; knows no card and no kernel.

It reads requests as lines and answers each with a mark, as a line, or with null.
"""

import json
import math
import os
import signal
import sys
import threading
import time
from typing import Any

from ..candidate.records import mark_to_json
from ..curriculum.syllabus import syllabus
from ..marking.examiner import Examiner
from ..submission import Cell, Submission
from ..wall.isolation_layers import available
from ..wall.limits import Limits

_LOOK = 0.5  # seconds
_NICE = 5  # the learner's own cells come first


def _first() -> dict[str, Any]:
    """Asked before anybody asks: the first search of a process loads what it needs."""
    name = syllabus().names[0]
    cell = {"source": f"def {name}(*_):\n    return 0", "label": "", "notebook": "", "index": 0}
    return {"exercise": name, "cells": [cell]}


def main(seconds: float) -> None:
    """Answer until the kernel has ended, each time within so many seconds or not at all."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is for the kernel
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICE)
    with os.fdopen(os.dup(1), "w", encoding="ascii") as answers:
        limits = Limits(seconds, seconds, seconds, cpu_seconds=math.ceil(2 * seconds))
        os.dup2(2, 1)  # what is printed is no answer
        with Examiner(trust=not available(), limits=limits) as examiner:
            _answer(examiner, _first())
            for line in sys.stdin:
                answers.write(json.dumps(_answer(examiner, json.loads(line))) + "\n")
                answers.flush()


def _end_with(kernel: int) -> None:
    """A search that nobody waits for goes on to no end."""
    while os.getppid() == kernel:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)


def _answer(examiner: Examiner, asked: dict[str, Any]) -> Any:
    cells = tuple(Cell(**cell) for cell in asked["cells"])
    submission = Submission("you", frozenset(syllabus().names), cells)
    name = asked["exercise"]
    try:
        found = examiner.mark(submission, [name])
    except Exception:  # a line that is not found is no loss
        return None
    if name in found.incomplete:  # with more time it might say something else
        return None
    return next((mark_to_json(mark) for mark in found.marks if mark.name == name), None)


if __name__ == "__main__":
    main(float(sys.argv[1]))
