"""The SQLite file of a gradebook: its tables, version and transactions; knows no mark."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .words import GradebookError, plain_words

FILE = "gradebook.sqlite"
SCHEMA_VERSION = 4
_APPLICATION = 0x67726164  # "grad": tells a gradebook from any other SQLite file
_TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE submission (
    learner TEXT PRIMARY KEY,
    content TEXT NOT NULL,     -- what was handed in, as a hash
    settings TEXT NOT NULL,    -- what the run judged with, as a hash; empty: to be marked again
    isolated INTEGER NOT NULL, -- 0: marked without isolation
    problems TEXT NOT NULL,    -- what could not be read, a JSON list of sentences
    absent INTEGER NOT NULL    -- 1: the latest run did not find it
) WITHOUT ROWID;
CREATE TABLE seen (
    learner TEXT PRIMARY KEY,
    bytes TEXT NOT NULL,       -- what was handed in when it was last read, as a hash
    settings TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE mark (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- of its details
    details TEXT NOT NULL      -- the whole mark as JSON
);
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE, -- of its pieces
    pieces TEXT NOT NULL       -- what a learner wrote for an exercise: JSON of [label, line, code]
);
CREATE TABLE entry (
    learner TEXT NOT NULL REFERENCES submission,
    exercise TEXT NOT NULL,
    position INTEGER NOT NULL, -- in the course
    code TEXT NOT NULL,        -- the learner's code that was judged, as a hash
    judge TEXT,                -- what judged it, as a hash; null: the submission's settings
    mark INTEGER NOT NULL REFERENCES mark,
    source INTEGER REFERENCES source, -- null: nothing to show
    answer TEXT NOT NULL,      -- all the code that counts, as a hash; empty: all that was handed in
    PRIMARY KEY (learner, exercise)
) WITHOUT ROWID;
CREATE TABLE override (
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    points REAL NOT NULL,
    reason TEXT NOT NULL,
    who TEXT NOT NULL,
    time TEXT NOT NULL,
    answer TEXT NOT NULL,      -- the code that it is for, as a hash
    bytes TEXT NOT NULL,       -- what was handed in then, as a hash
    PRIMARY KEY (learner, exercise)
) WITHOUT ROWID;
CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    kind TEXT NOT NULL,
    who TEXT NOT NULL,
    time TEXT NOT NULL,        -- UTC
    text TEXT NOT NULL,
    cell TEXT NOT NULL,        -- of a comment on a line: where it stood, and what stood there
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    about INTEGER NOT NULL,    -- the note that this one answers or takes back; 0: none
    answer TEXT NOT NULL,      -- as of an override
    bytes TEXT NOT NULL
);
CREATE TABLE handed_in (
    learner TEXT PRIMARY KEY,
    time TEXT NOT NULL,        -- with its zone; empty: nobody has said
    zone TEXT NOT NULL,        -- as it was called
    source TEXT NOT NULL,
    late TEXT NOT NULL         -- the platform's word: yes, no or nothing
) WITHOUT ROWID;
CREATE TABLE extension (
    learner TEXT PRIMARY KEY,
    until TEXT NOT NULL,
    days INTEGER NOT NULL,
    reason TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE due (deadline TEXT NOT NULL, rule TEXT NOT NULL);
CREATE TABLE tried (
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    tries INTEGER NOT NULL,    -- until it passed, or all
    first TEXT NOT NULL,
    last TEXT NOT NULL,        -- that passed, or of all
    is_passed INTEGER NOT NULL,
    PRIMARY KEY (learner, exercise)
) WITHOUT ROWID;
CREATE TABLE member (learner TEXT PRIMARY KEY, team TEXT NOT NULL) WITHOUT ROWID;
"""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is done meanwhile is recorded, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk may have ended the transaction already
            connection.execute("ROLLBACK")
        raise


def open_to_write(folder: Path, patience: float) -> tuple[Path, sqlite3.Connection]:
    """The gradebook of a folder; makes both where they are missing. Raises GradebookError."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GradebookError(f"{folder} cannot be made: {error.strerror}") from None
    with plain_words(path):
        connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
        try:
            make_tables(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    return path, connection


def open_to_read(folder: Path, patience: float) -> tuple[Path, sqlite3.Connection]:
    """The gradebook of a folder, or the file itself; raises GradebookError."""
    path = folder if folder.is_file() else folder / FILE
    if not path.is_file():
        raise GradebookError(f"{folder} holds no gradebook; `grader grade` writes one")
    with plain_words(path):
        address = f"{path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)
        try:
            check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return path, connection


def make_tables(connection: sqlite3.Connection, path: Path) -> None:
    """Make those of a new file; raises GradebookError where other tables are."""
    with transaction(connection):
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if version or tables:
            check_version(connection, path)
            return
        for statement in _TABLES.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise GradebookError where the file is not a gradebook that this grader can read."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise GradebookError(f"{path} is no gradebook; choose another folder")
    if version < SCHEMA_VERSION:
        raise GradebookError(
            f"{path} was written by an older grader (gradebook version {version}, this one reads "
            f"version {SCHEMA_VERSION}); grade the class again into another folder, or use the "
            "older grader"
        )
    if version > SCHEMA_VERSION:
        raise GradebookError(
            f"{path} was written by a newer grader (gradebook version {version}, this one reads "
            f"version {SCHEMA_VERSION}); update the grader or choose another folder"
        )


def as_json(value: Any) -> str:
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
