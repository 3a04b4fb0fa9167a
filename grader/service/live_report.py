"""The report of a class as its gradebook is now; knows no request and who may read it."""

import re
import tempfile
import threading
import time
from pathlib import Path

from ..gradebook.store import FILE, GradebookError
from ..report.class_report import write_report

_PAGE = re.compile(r"(?:(?:learners|exercises)/)?[\w-]+\.html", re.ASCII)
_PAUSE = 5.0  # as many times as long as the last writing took, before the next


class LiveReport:
    """Pages of one gradebook's report, written anew when somebody asks and it has changed."""

    def __init__(self, marks: Path) -> None:
        self._marks = marks
        self._folder = tempfile.TemporaryDirectory(prefix="report-")
        self._turn = threading.Lock()
        self._written: tuple[tuple[int, int], ...] | None = None
        self._not_before = 0.0

    def page(self, name: str) -> str | None:
        """A page of it as text, None where it has no such page; threads may ask.

        Raises GradebookError where there is no gradebook yet.
        """
        if not _PAGE.fullmatch(name):
            return None
        with self._turn:
            self._write()
            path = Path(self._folder.name) / name
            return path.read_text(encoding="utf-8") if path.is_file() else None

    def close(self) -> None:
        """Remove what was written."""
        self._folder.cleanup()

    def _write(self) -> None:
        now, began = self._state(), time.monotonic()
        if now != self._written and (self._written is None or began >= self._not_before):
            write_report(self._marks, Path(self._folder.name))
            ended = time.monotonic()
            self._written, self._not_before = now, ended + _PAUSE * (ended - began)

    def _state(self) -> tuple[tuple[int, int], ...]:
        """What differs once something was recorded: the file, and SQLite's log beside it."""
        files = (self._marks / FILE, self._marks / f"{FILE}-wal")
        found = [path.stat() for path in files if path.is_file()]
        if not found:
            raise GradebookError(f"{self._marks} holds no gradebook yet")
        return tuple((each.st_mtime_ns, each.st_size) for each in found)
