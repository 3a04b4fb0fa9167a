"""Has a process of its own look for a line while the kernel goes on; marks and shows nothing."""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from ..candidate.records import SHORTCUT_TITLE, Mark, Verdict, mark_from_json
from ..submission import Cell
from .own_code import cells_for

Tell = Callable[[Mark], None]
_MAY_GAIN = (Verdict.FAILED, Verdict.PARTIAL, Verdict.ERROR)
# What is found later than that after a card is not told; a busy machine may be given more.
SECONDS = float(os.environ.get("GRADER_LINE_SECONDS", "3"))


@dataclass(frozen=True)
class _Wanted:
    """One search, and until when its answer is of use."""

    number: int
    mark: Mark
    cells: tuple[Cell, ...]
    tell: Tell
    until: float


class LineSearch:
    """The process, started before it is needed; it ends with the kernel."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._starting = threading.Lock()
        self._turn = threading.Lock()
        self._numbers = itertools.count(1)
        self._newest = 0

    def begin(self) -> None:
        """Start the process, which takes a while to load what it needs; or another, if it died."""
        with self._starting:
            if self._process is not None and self._process.poll() is None:
                return
            with contextlib.suppress(OSError):  # no room for another process: then without
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "grader.notebook.line_finder", str(SECONDS)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,  # an interrupt is for the kernel
                )

    def overtake(self) -> None:
        """Something newer was checked: no earlier search tells anything any more."""
        self._newest = next(self._numbers)

    def ask(self, mark: Mark, cells: Iterable[Cell], tell: Tell) -> None:
        """Have `tell` called, on a thread, with the mark and its line, if one is found in time."""
        until = time.monotonic() + SECONDS
        wanted = _Wanted(self._newest, mark, tuple(cells), tell, until)
        threading.Thread(target=self._answer, args=(wanted,), daemon=True).start()

    def _answer(self, wanted: _Wanted) -> None:
        with self._turn:
            found = self._found(wanted) if self._waits_for(wanted) else None
        # What came of other code than the kernel's says nothing of this mark.
        if found is None or found.verdict is not wanted.mark.verdict:
            return
        more = replace(wanted.mark, location=found.location, diagnosis=found.diagnosis)
        is_new = more.diagnosis or more.location not in (None, wanted.mark.location)
        if is_new and self._waits_for(wanted):
            wanted.tell(more)

    def _waits_for(self, wanted: _Wanted) -> bool:
        return wanted.number == self._newest and time.monotonic() < wanted.until

    def _found(self, wanted: _Wanted) -> Mark | None:
        """What the process answers; None where it has ended."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return None
        cells = [asdict(cell) for cell in wanted.cells]
        asked = {"exercise": wanted.mark.name, "cells": cells}
        try:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        except (OSError, ValueError):
            process.poll()
            return None
        return None if answer is None else mark_from_json(answer)


_search = LineSearch()


def begin() -> None:
    """Get ready to search."""
    _search.begin()


def search_for(mark: Mark, value: Any) -> Callable[[Tell], None] | None:
    """What looks for the line of an object that did not pass; None where more is known."""
    _search.overtake()
    is_ready_made = any(check.title == SHORTCUT_TITLE for check in mark.checks)
    if mark.verdict not in _MAY_GAIN or mark.diagnosis or is_ready_made:
        return None
    _search.begin()
    return partial(_search.ask, mark, cells_for(mark.name, value))
