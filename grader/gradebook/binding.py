"""Tells whether what people set or wrote is for the answer that counts now."""

import sqlite3

from .entries import pieces_from

_PIECES = (
    "SELECT pieces FROM entry JOIN source ON source.id = entry.source "
    "WHERE learner = ? AND exercise = ?"
)
_ANSWER = "SELECT answer FROM entry WHERE learner = ? AND exercise = ?"
_BYTES = "SELECT bytes FROM seen JOIN submission USING (learner, settings) WHERE learner = ?"


def bound_now(connection: sqlite3.Connection, learner: str, exercise: str) -> tuple[str, str]:
    """What `holds` asks for, of the answer that counts now.

    Hashes of all the code that counts, and of all that this learner has handed in; empty where
    nothing is known.
    """
    answer = connection.execute(_ANSWER, (learner, exercise)).fetchone() or ("",)
    held = connection.execute(_BYTES, (learner,)).fetchone() or ("",)
    return str(answer[0]), str(held[0])


def holds(
    connection: sqlite3.Connection, learner: str, exercise: str, answer: str, held: str
) -> bool:
    """Whether what was bound to `answer`, when `held` was handed in, is for what counts now.

    Of an exercise that the course has no more, nothing counts.
    """
    if connection.execute(_ANSWER, (learner, exercise)).fetchone() is None:
        return False
    bound, now = (answer, held), bound_now(connection, learner, exercise)
    # The same files are the same answer, however another grader cuts it out of them.
    return any(one and one == other for one, other in zip(bound, now, strict=True))


def lines_of(connection: sqlite3.Connection, learner: str, exercise: str) -> list[str]:
    """The lines that are shown of an answer and hold something, wherever they stand."""
    found = connection.execute(_PIECES, (learner, exercise)).fetchone() or ("[]",)
    lines = "\n".join(code for *_, code in pieces_from(found[0])).split("\n")
    return [line.rstrip() for line in lines if line.strip()]
