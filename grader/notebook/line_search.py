"""Has a process of its own look for a line while the kernel goes on; marks and shows nothing."""

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from ..candidate.records import Mark, Verdict, mark_from_json
from ..submission import Cell
from .own_code import cells_for

_MAY_GAIN = (Verdict.FAILED, Verdict.PARTIAL, Verdict.ERROR)


class LineSearch:
    """The process, started before it is needed; it ends with the kernel."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._turn = threading.Lock()

    def begin(self) -> None:
        """Start the process, which takes a while to load what it needs."""
        if self._process is None or self._process.poll() is not None:
            with contextlib.suppress(OSError):  # no room for another process: then without
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "grader.notebook.line_finder"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    start_new_session=True,  # an interrupt is for the kernel
                )

    def ask(self, mark: Mark, cells: Iterable[Cell], tell: Callable[[Mark], None]) -> None:
        """Have `tell` called, on a thread, with the mark and its line, if one is found."""
        asked = {"exercise": mark.name, "cells": [asdict(cell) for cell in cells]}
        given = (self._process, mark, asked, tell)
        threading.Thread(target=self._ask, args=given, daemon=True).start()

    def _ask(
        self,
        process: subprocess.Popen[str] | None,
        mark: Mark,
        asked: dict[str, Any],
        tell: Callable[[Mark], None],
    ) -> None:
        if process is None or process.stdin is None or process.stdout is None:
            return
        answer = None
        with self._turn, contextlib.suppress(OSError, ValueError):  # it has ended
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
        found = answer and mark_from_json(answer)
        # What came of other code than the kernel's says nothing of this mark.
        if found and found.verdict is mark.verdict:
            more = replace(mark, location=found.location, diagnosis=found.diagnosis)
            if more.diagnosis or more.location not in (None, mark.location):
                tell(more)


_search = LineSearch()


def search_for(mark: Mark, value: Any) -> Callable[[Callable[[Mark], None]], None] | None:
    """What looks for the line of an object that did not pass; None where a name is known.

    The process gets ready at the first mistake, named or not.
    """
    _search.begin()
    if mark.verdict not in _MAY_GAIN or mark.diagnosis:
        return None
    return partial(_search.ask, mark, cells_for(mark.name, value))
