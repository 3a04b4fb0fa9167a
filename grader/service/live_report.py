"""The report of a class as its gradebook is now; knows no request and who may read it."""

import re
import secrets
import tempfile
import threading
import time
from pathlib import Path

from ..candidate.records import Note
from ..gradebook.database import FILE
from ..gradebook.notes import NoteKind, NotTaken
from ..gradebook.store import Gradebook, GradebookError
from ..report.class_report import write_pages_of, write_report
from ..report.shown_pages import CLASS
from .hand_forms import Done, perform

_PAGE = re.compile(r"(?:(?:learners|exercises)/)?[\w-]+\.html", re.ASCII)
_OF_REQUESTS = (NoteKind.REQUEST, NoteKind.ANSWER)
_NO_MARKS = "there are no marks of yours yet"
_PAUSE = 5.0  # as many times as long as the last writing took, before the next


class LiveReport:
    """Pages of one gradebook's report, written anew when somebody asks and it has changed."""

    def __init__(self, marks: Path) -> None:
        self._marks = marks
        self._folder = tempfile.TemporaryDirectory(prefix="report-")
        self.key = secrets.token_hex(16)
        self._lock = threading.Lock()
        self._written: tuple[tuple[int, int], ...] | None = None
        self._not_before = 0.0
        self._acted = False  # somebody, since all pages were written

    def page(self, name: str) -> str | None:
        """A page of it as text, None where it has no such page; threads may ask.

        Raises GradebookError where there is no gradebook yet.
        """
        if not _PAGE.fullmatch(name):
            return None
        with self._lock:
            if name == CLASS and self._acted:  # who did something looks for it
                self._not_before = 0.0
            self._write()
            path = Path(self._folder.name) / name
            return path.read_text(encoding="utf-8") if path.is_file() else None

    def do(self, done: Done) -> None:
        """Do what a form asks for, and write the pages that show it anew; threads may ask.

        Raises GradebookError, and Meanwhile where somebody else was first.
        """
        with self._lock:
            learners = perform(self._marks, done)
            self._acted = True
            if self._written is not None:
                place = Path(self._folder.name)
                write_pages_of(self._marks, place, learners, done.exercise, self.key)

    def ask(self, learner: str, exercise: str, text: str) -> None:
        """Keep a learner's request to look again; raises GradebookError, and NotTaken."""
        if not (self._marks / FILE).is_file():
            raise NotTaken(_NO_MARKS)
        with self._lock, Gradebook.create(self._marks) as book:
            if book.submission(learner) is None:
                raise NotTaken(_NO_MARKS)
            with book.by_people() as people:
                people.ask(learner, exercise, text)
            book.fold()
            self._acted = True

    def asked(self, learner: str) -> list[Note]:
        """One learner's requests and what came of them, oldest first; none without a gradebook.

        It waits for nobody, as the others here do while pages are written. Raises GradebookError.
        """
        if not (self._marks / FILE).is_file():
            return []
        with Gradebook.open(self._marks) as book:
            return [each for each in book.notes(learner) if each.kind in _OF_REQUESTS]

    def close(self) -> None:
        """Remove what was written."""
        self._folder.cleanup()

    def _write(self) -> None:
        now, began = self._state(), time.monotonic()
        if now != self._written and (self._written is None or began >= self._not_before):
            write_report(self._marks, Path(self._folder.name), self.key)
            ended, self._acted = time.monotonic(), False
            self._written, self._not_before = now, ended + _PAUSE * (ended - began)

    def _state(self) -> tuple[tuple[int, int], ...]:
        """What differs once something was recorded: the file, and SQLite's log beside it."""
        files = (self._marks / FILE, self._marks / f"{FILE}-wal")
        found = [path.stat() for path in files if path.is_file()]
        if not found:
            raise GradebookError(f"{self._marks} holds no gradebook yet")
        return tuple((each.st_mtime_ns, each.st_size) for each in found)
