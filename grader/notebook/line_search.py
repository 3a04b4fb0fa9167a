"""Has a process of its own look for a line while the kernel goes on; marks and shows nothing."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..candidate.records import SHORTCUT_TITLE, Mark, Verdict
from ..submission import Cell
from .own_code import cells_for

if TYPE_CHECKING:
    from ..cohort.messages import Task
    from ..cohort.pool import Pool

Tell = Callable[[Mark], None]
_MAY_GAIN = (Verdict.FAILED, Verdict.PARTIAL, Verdict.ERROR)
# What is found later than that after a card is not told; a busy machine may be given more, and with
# 0 nothing is looked for.
SECONDS = float(os.environ.get("GRADER_LINE_SECONDS", "3"))
_NICE = 5  # the learner's own cells come first


class LineSearch:
    """A job that marks, as in a run over a class; it ends with the kernel."""

    def __init__(self) -> None:
        self._pool: Pool | None = None
        self._lock = threading.Lock()
        self._newest = 0

    def begin(self) -> None:
        """Have the job load what it needs, which takes a while."""
        threading.Thread(target=self._first, daemon=True).start()

    def _first(self) -> None:
        from ..cohort.messages import first_task

        with self._lock:
            self._found(first_task())

    def overtake(self) -> None:
        """Something newer was checked: no earlier search tells anything any more."""
        self._newest += 1

    def ask(self, mark: Mark, cells: Iterable[Cell], tell: Tell) -> None:
        """Have `tell` called, on a thread, with the mark and its line, if one is found in time."""
        from ..cohort.messages import Task

        number, until = self._newest, time.monotonic() + SECONDS
        task = Task("you", cells=tuple(cells), exercises=(mark.name,))

        def is_wanted() -> bool:
            return number == self._newest and time.monotonic() < until

        def answer() -> None:
            with self._lock:
                found = self._found(task) if is_wanted() else None
            # What came of other code than the kernel's says nothing of this mark.
            if found is None or found.verdict is not mark.verdict:
                return
            more = replace(mark, location=found.location, diagnosis=found.diagnosis)
            is_new = more.diagnosis or more.location not in (None, mark.location)
            if is_new and is_wanted():
                tell(more)

        threading.Thread(target=answer, daemon=True).start()

    def _found(self, task: Task) -> Mark | None:
        """The mark of the task's one exercise; None where there was not enough time for it."""
        try:
            pool = self._pool = self._pool or _pool()
            (answer,) = pool.run([task])
        except Exception:  # a line that is not found is no loss: Windows starts no job at all
            return None
        entries = () if answer.new is None else answer.new.entries
        return next((each.mark for each in entries if each.code), None)


def _pool() -> Pool:
    from ..cohort.messages import Setup
    from ..cohort.pool import Pool
    from ..wall.isolation_layers import available

    names = ("wall_seconds", "total_seconds", "submission_seconds")
    limits = {**dict.fromkeys(names, SECONDS), "cpu_seconds": math.ceil(2 * SECONDS)}
    return Pool(1, Setup(limits=limits, trust=not available(), nice=_NICE))


_search = LineSearch()


def begin() -> None:
    """Get ready to search."""
    if SECONDS > 0:
        _search.begin()


def search_for(mark: Mark, value: Any) -> Callable[[Tell], None] | None:
    """What looks for the line of an object that did not pass; None where more is known."""
    _search.overtake()
    is_ready_made = any(check.title == SHORTCUT_TITLE for check in mark.checks)
    if mark.verdict not in _MAY_GAIN or mark.diagnosis or is_ready_made:
        return None
    return partial(_search.ask, mark, cells_for(mark.name, value))
