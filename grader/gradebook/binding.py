"""Tells whether what people set or wrote is for the answer that counts now."""

import hashlib
import sqlite3

from .entries import pieces_from

_COLUMNS = ("answer", "bytes")  # hashes of the code it is for, and of what was handed in then
_PIECES = (
    "SELECT pieces FROM entry JOIN source ON source.id = entry.source "
    "WHERE learner = ? AND exercise = ?"
)
_ENTRY = "SELECT 1 FROM entry WHERE learner = ? AND exercise = ?"
_ANSWER = "SELECT answer FROM answered WHERE learner = ? AND exercise = ?"
_BYTES = "SELECT bytes FROM seen JOIN submission USING (learner, settings) WHERE learner = ?"


def bind(connection: sqlite3.Connection) -> None:
    """Note the answer that counts now for what has none yet: it is new, or of an older grader."""
    for table in ("override", "note"):
        known = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        for column in _COLUMNS:
            if column not in known:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")
        free = f"SELECT DISTINCT learner, exercise FROM {table} WHERE answer IS NULL"
        change = (
            f"UPDATE {table} SET answer = ?, bytes = ? "
            "WHERE answer IS NULL AND learner = ? AND exercise = ?"
        )
        for learner, exercise in connection.execute(free).fetchall():
            now = bound_now(connection, learner, exercise)
            connection.execute(change, (*now, learner, exercise))


def bound_now(
    connection: sqlite3.Connection, learner: str, exercise: str
) -> tuple[str, str | None]:
    """What `holds` asks for, of the answer that counts now."""
    return _answer(connection, learner, exercise), _handed_in(connection, learner)


def holds(
    connection: sqlite3.Connection,
    learner: str,
    exercise: str,
    answer: str | None,
    held: str | None,
) -> bool:
    """Whether what was bound to `answer`, when `held` was handed in, is for what counts now.

    Of an exercise that the course has no more, nothing counts.
    """
    if connection.execute(_ENTRY, (learner, exercise)).fetchone() is None:
        return False
    # The same files are the same answer, however another grader cuts it out of them.
    if answer is None or (held is not None and held == _handed_in(connection, learner)):
        return True
    return answer != "" and answer == _answer(connection, learner, exercise)


def _answer(connection: sqlite3.Connection, learner: str, exercise: str) -> str:
    """A hash of all the code that counts; of an older grader's marks, of what is shown of it."""
    known = connection.execute(_ANSWER, (learner, exercise)).fetchone()
    return str(known[0]) if known else _hashed(lines_of(connection, learner, exercise))


def lines_of(connection: sqlite3.Connection, learner: str, exercise: str) -> list[str]:
    """The lines that are shown of an answer and hold something, wherever they stand."""
    found = connection.execute(_PIECES, (learner, exercise)).fetchone() or ("[]",)
    lines = "\n".join(code for *_, code in pieces_from(found[0])).split("\n")
    return [line.rstrip() for line in lines if line.strip()]


def _hashed(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _handed_in(connection: sqlite3.Connection, learner: str) -> str | None:
    """A hash of all that this learner has handed in."""
    return (connection.execute(_BYTES, (learner,)).fetchone() or ("",))[0] or None
