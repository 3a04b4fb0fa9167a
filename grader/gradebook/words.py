"""Says in plain words what keeps a gradebook from being read or written; opens none."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..curriculum.complaint import Complaint


class GradebookError(Complaint):
    """The gradebook cannot be read or written; the message says why and what to do.

    `passing`: the same command can succeed later, once a disk has room or a program lets go.
    """

    def __init__(self, message: str, passing: bool = False) -> None:
        super().__init__(message)
        self.passing = passing


_WORDS = {
    sqlite3.SQLITE_BUSY: "is locked by another program; close it there, then run this again",
    sqlite3.SQLITE_LOCKED: "is locked by another program; close it there, then run this again",
    sqlite3.SQLITE_READONLY: "may not be written; allow it, or choose another folder",
    sqlite3.SQLITE_PERM: "may not be opened; allow it, or choose another folder",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened or made; is the folder yours to write?",
    sqlite3.SQLITE_FULL: "does not fit on the disk; make room, then run this again: what was "
    "recorded is kept",
    sqlite3.SQLITE_IOERR: "cannot be read or written (the disk is full or fails); make room, then "
    "run this again: what was recorded is kept",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it from a copy or choose another folder",
    sqlite3.SQLITE_NOTADB: "is no gradebook; choose another folder",
}
_PASSING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


@contextmanager
def plain_words(path: Path) -> Iterator[None]:
    """What SQLite says, as a sentence about this gradebook with what to do next."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        message = _WORDS.get(code, f"cannot be used ({error}); choose another folder")
        raise GradebookError(f"{path} {message}", passing=code in _PASSING) from error
