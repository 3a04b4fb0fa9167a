"""Every mark of a class in one SQLite file; knows nothing of how marks are found or shown.

While a run writes, SQLite keeps a write-ahead log beside the file: a run killed at any moment loses
nothing that was recorded, each submission is in it wholly or not at all, and others may read
meanwhile. A run that ends folds the log in, so that the file alone can be copied or archived.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from .gradebook_words import GradebookError, plain_words
from .records import Mark, SubmissionMarks, mark_from_json, mark_to_json

__all__ = ["FILE", "Entry", "Gradebook", "GradebookError", "Known", "Recorded"]

FILE = "gradebook.sqlite"
REPORT = "report"  # the folder of the pages beside it
SCHEMA_VERSION = 1
_APPLICATION = 0x67726164  # "grad": tells a gradebook from any other SQLite file
_PATIENCE = 5.0  # seconds to wait for another program that holds the file
_TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE submission (
    learner TEXT PRIMARY KEY,
    content TEXT NOT NULL,     -- what was handed in, as a hash
    settings TEXT NOT NULL,    -- what the run judged with, as a hash; empty: to be marked again
    isolated INTEGER NOT NULL, -- 0: marked without isolation
    problems TEXT NOT NULL     -- what could not be read, a JSON list of sentences
) WITHOUT ROWID;
CREATE TABLE mark (
    learner TEXT NOT NULL REFERENCES submission,
    position INTEGER NOT NULL, -- in the course
    exercise TEXT NOT NULL,
    chapter TEXT NOT NULL,
    verdict TEXT NOT NULL,
    points REAL NOT NULL,
    max_points REAL NOT NULL,
    code TEXT NOT NULL,        -- the learner's code that was judged, as a hash
    judge TEXT NOT NULL,       -- what judged it, as a hash
    details TEXT NOT NULL,     -- the whole mark as JSON
    PRIMARY KEY (learner, exercise)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Entry:
    """One mark, and hashes of the code that was judged and of what judged it."""

    code: str
    judge: str
    mark: Mark


@dataclass(frozen=True)
class Known:
    """What the gradebook holds of one submission; `keys` are (code, judge) by exercise."""

    content: str
    settings: str
    keys: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Recorded:
    """The marks of one submission; those of `kept` are in the gradebook already and stay."""

    learner: str
    content: str
    settings: str
    isolated: bool
    problems: tuple[str, ...]
    entries: tuple[Entry, ...]
    kept: tuple[str, ...] = ()


class Gradebook:
    """An open gradebook; a context manager that closes it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def create(cls, folder: Path, patience: float = _PATIENCE) -> Gradebook:
        """Open the gradebook of a folder for writing; make both where they are missing."""
        path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise GradebookError(f"{folder} cannot be made: {error.strerror}") from None
        with plain_words(path):
            connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
            book = cls(path, connection)
            try:
                book._make_tables()
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
            except BaseException:
                connection.close()
                raise
        return book

    @classmethod
    def open(cls, folder: Path, patience: float = _PATIENCE) -> Gradebook:
        """Open the gradebook of a folder, or the file itself, for reading alone."""
        path = folder if folder.is_file() else folder / FILE
        if not path.is_file():
            raise GradebookError(f"{folder} holds no gradebook; `grader grade` writes one")
        with plain_words(path):
            address = f"{path.resolve().as_uri()}?mode=ro"
            connection = sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)
            book = cls(path, connection)
            try:
                book._check_version()
            except BaseException:
                connection.close()
                raise
        return book

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it; what was recorded stays recorded."""
        self._connection.close()

    def fold(self) -> None:
        """Leave one plain file behind, fit for copying; without effect while somebody reads."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA journal_mode = DELETE")

    def known(self, learner: str) -> Known | None:
        """What is recorded of one submission."""
        with plain_words(self.path):
            row = self._connection.execute(
                "SELECT content, settings FROM submission WHERE learner = ?", (learner,)
            ).fetchone()
            if row is None:
                return None
            keys = self._connection.execute(
                "SELECT exercise, code, judge FROM mark WHERE learner = ?", (learner,)
            )
            content, settings = row
            by_exercise = {exercise: (code, judge) for exercise, code, judge in keys}
            return Known(content, settings, by_exercise)

    def record(self, new: Recorded, order: Sequence[str]) -> None:
        """Write one submission in one transaction; `order` names all exercises of the course."""
        position = {name: index for index, name in enumerate(order)}
        rows = [_row(new.learner, position[e.mark.name], e) for e in new.entries]
        stay = {*new.kept, *(entry.mark.name for entry in new.entries)}
        head = (new.learner, new.content, new.settings, new.isolated, _json(list(new.problems)))
        with plain_words(self.path), self._transaction():
            run = self._connection.execute
            run("INSERT OR REPLACE INTO submission VALUES (?, ?, ?, ?, ?)", head)
            if not new.kept:
                run("DELETE FROM mark WHERE learner = ?", (new.learner,))
            else:
                held = run("SELECT exercise FROM mark WHERE learner = ?", (new.learner,))
                gone = [(new.learner, name) for (name,) in held.fetchall() if name not in stay]
                self._connection.executemany(
                    "DELETE FROM mark WHERE learner = ? AND exercise = ?", gone
                )
            self._connection.executemany(
                "INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows
            )

    def learners(self) -> Iterator[str]:
        """Every learner, in the order of their names' code points."""
        with plain_words(self.path):
            query = "SELECT learner FROM submission ORDER BY learner"
            for (learner,) in self._connection.execute(query):
                yield learner

    def submissions(self) -> Iterator[SubmissionMarks]:
        """Every learner's marks, one after the other; memory holds one learner at a time."""
        for learner in self.learners():
            found = self.submission(learner)
            if found is not None:
                yield found

    def submission(self, learner: str) -> SubmissionMarks | None:
        """One learner's marks in course order."""
        with plain_words(self.path):
            head = self._connection.execute(
                "SELECT problems FROM submission WHERE learner = ?", (learner,)
            ).fetchone()
            if head is None:
                return None
            marks = tuple(entry.mark for entry in self.entries(learner))
            return SubmissionMarks(learner, marks, tuple(json.loads(head[0])))

    def entries(self, learner: str) -> list[Entry]:
        """One learner's marks with the hashes that they are kept under."""
        with plain_words(self.path):
            rows = self._connection.execute(
                "SELECT code, judge, details FROM mark WHERE learner = ? ORDER BY position",
                (learner,),
            )
            return [Entry(code, judge, mark_from_json(json.loads(d))) for code, judge, d in rows]

    def count(self) -> int:
        """How many submissions are recorded."""
        with plain_words(self.path):
            (number,) = self._connection.execute("SELECT count(*) FROM submission").fetchone()
            return int(number)

    def unisolated(self) -> int:
        """How many submissions were marked without isolation."""
        with plain_words(self.path):
            query = "SELECT count(*) FROM submission WHERE NOT isolated"
            (number,) = self._connection.execute(query).fetchone()
            return int(number)

    def state(self, name: str, value: str) -> None:
        """Note a fact about the whole gradebook, such as the run's seed."""
        with plain_words(self.path), self._transaction():
            self._connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def fact(self, name: str) -> str:
        """A fact that `state` noted; empty where it did not."""
        with plain_words(self.path):
            query = "SELECT value FROM fact WHERE name = ?"
            row = self._connection.execute(query, (name,)).fetchone()
            return row[0] if row else ""

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk may have ended the transaction already
                self._connection.execute("ROLLBACK")
            raise

    def _make_tables(self) -> None:
        with self._transaction():
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if version or tables:
                self._check_version()
                return
            for statement in _TABLES.split(";\n"):
                self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _check_version(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise GradebookError(f"{self.path} is no gradebook; choose another folder")
        if version > SCHEMA_VERSION:
            raise GradebookError(
                f"{self.path} was written by a newer grader (gradebook version {version}, this one "
                f"reads up to {SCHEMA_VERSION}); update the grader or choose another folder"
            )


def _row(learner: str, position: int, entry: Entry) -> tuple[Any, ...]:
    mark = entry.mark
    told = (mark.name, mark.chapter, str(mark.verdict), mark.points, mark.max_points)
    return (learner, position, *told, entry.code, entry.judge, _json(mark_to_json(mark)))


def _json(value: Any) -> str:
    """JSON in which every string is text: half characters are written out as \\udcff."""
    text = json.dumps(value, separators=(",", ":"))
    if "\\ud" in text:
        text = json.dumps(_whole(value), separators=(",", ":"))
    return text


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    return [_whole(each) for each in value] if isinstance(value, list | tuple) else value
