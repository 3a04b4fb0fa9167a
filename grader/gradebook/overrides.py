"""Points that a person set, beside the marks that the grader made: no regrade touches them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ..candidate.records import Mark

_TABLE = """
CREATE TABLE IF NOT EXISTS override (
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    points REAL NOT NULL,
    reason TEXT NOT NULL,
    who TEXT NOT NULL,
    time TEXT NOT NULL,
    PRIMARY KEY (learner, exercise)
) WITHOUT ROWID
"""


@dataclass(frozen=True)
class Override:
    """The points of one exercise of one learner, why, and who says so."""

    learner: str
    exercise: str
    points: float
    reason: str
    who: str


def set_override(connection: sqlite3.Connection, new: Override) -> None:
    """Set it; the one before is forgotten."""
    connection.execute(_TABLE)
    time = datetime.now(UTC).strftime("%Y-%m-%d")
    row = (new.learner, new.exercise, new.points, new.reason, new.who, time)
    connection.execute("INSERT OR REPLACE INTO override VALUES (?, ?, ?, ?, ?, ?)", row)


def remove_override(connection: sqlite3.Connection, learner: str, exercise: str) -> bool:
    """Let the grader's own points count again; whether there was anything to remove."""
    connection.execute(_TABLE)
    where = "DELETE FROM override WHERE learner = ? AND exercise = ?"
    return bool(connection.execute(where, (learner, exercise)).rowcount)


def overridden(connection: sqlite3.Connection, learner: str) -> Callable[[Mark], Mark]:
    """Puts the points that a person set into a learner's marks, which then say so."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'override'").fetchone():
        return lambda mark: mark  # nobody has ever set any
    rows = connection.execute(
        "SELECT exercise, points, reason, who, time FROM override WHERE learner = ?", (learner,)
    )
    held = {exercise: rest for exercise, *rest in rows}

    def apply(mark: Mark) -> Mark:
        if mark.name not in held:
            return mark
        points, reason, who, time = held[mark.name]
        found = f"{mark.points:g} were found"
        told = f"{who} set this to {points:g} points on {time} ({found}): {reason}"
        return replace(mark, points=points, by_hand=told)

    return apply
