"""Points that a person set, beside the marks that the grader made: no regrade touches them."""

import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ..candidate.records import Mark
from .words import GradebookError

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
    day: str = ""  # when it was set; the gradebook says it

    def put(self, mark: Mark) -> Mark:
        """The mark with these points, which says so."""
        found = f"{mark.points:g} were found"
        what = "1 point" if self.points == 1 else f"{self.points:g} points"
        message = f"{self.who} set this to {what} on {self.day} ({found})"
        return replace(mark, points=self.points, by_hand=f"{message}: {self.reason}")


def check_points(mark: Mark, new: Override | None) -> None:
    """Raise GradebookError where an exercise cannot have these points."""
    if new is not None and not 0 <= new.points <= mark.max_points:
        raise GradebookError(f"{mark.name} has from 0 to {mark.max_points:g} points")


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


def overrides(
    connection: sqlite3.Connection, learner: str | None = None
) -> dict[tuple[str, str], Override]:
    """What was set by hand for one learner, or for everybody, by learner and exercise."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'override'").fetchone():
        return {}  # nobody has ever set any
    query = "SELECT learner, exercise, points, reason, who, time FROM override"
    one = () if learner is None else (learner,)
    rows = connection.execute(f"{query} WHERE learner = ?" if one else query, one)
    return {(row[0], row[1]): Override(*row) for row in rows}
