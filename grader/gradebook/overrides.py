"""Points that a person set, beside the marks that the grader made: no regrade touches them.

They are for one answer. Where another one counts later, they wait, and that is told.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ..candidate.records import Mark
from .binding import bound_now, holds
from .words import GradebookError


@dataclass(frozen=True)
class Override:
    """The points of one exercise of one learner, why, and who says so."""

    learner: str
    exercise: str
    points: float
    reason: str
    who: str
    day: str = ""  # when it was set; the gradebook says it
    holds: bool = True  # whether the answer that they are for is the one that counts

    def put(self, mark: Mark) -> Mark:
        """The mark with these points, which says so; its own where they are for another answer."""
        what = "1 point" if self.points == 1 else f"{self.points:g} points"
        if not self.holds:
            message = f"{self.who} set {what} on {self.day} for another answer ({self.reason})"
            return replace(mark, by_hand=f"{message}; this one counts now, with what was found")
        found = f"{mark.points:g} were found"
        message = f"{self.who} set this to {what} on {self.day} ({found})"
        return replace(mark, points=self.points, by_hand=f"{message}: {self.reason}")


def same_for(
    learners: Iterable[str], mark: Mark, points: float, reason: str, who: str
) -> list[Override]:
    """These points for each of them; raises GradebookError where the exercise cannot have them."""
    if not 0 <= points <= mark.max_points:
        raise GradebookError(f"{mark.name} has from 0 to {mark.max_points:g} points")
    return [Override(learner, mark.name, points, reason, who) for learner in learners]


def set_override(connection: sqlite3.Connection, new: Override) -> None:
    """Set it, for the answer that counts now, and forget the one before."""
    time = datetime.now(UTC).strftime("%Y-%m-%d")
    bound = bound_now(connection, new.learner, new.exercise)
    row = (new.learner, new.exercise, new.points, new.reason, new.who, time, *bound)
    connection.execute("INSERT OR REPLACE INTO override VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def remove_override(connection: sqlite3.Connection, learner: str, exercise: str) -> bool:
    """Let the grader's own points count again; whether there was anything to remove."""
    where = "DELETE FROM override WHERE learner = ? AND exercise = ?"
    return bool(connection.execute(where, (learner, exercise)).rowcount)


def overrides(
    connection: sqlite3.Connection, learner: str | None = None
) -> dict[tuple[str, str], Override]:
    """What was set by hand for one learner, or for everybody, by learner and exercise."""
    one = () if learner is None else (learner,)
    where = "WHERE learner = ?" if one else ""
    rows = connection.execute(f"SELECT * FROM override {where}", one).fetchall()
    found = {}
    for row in rows:
        given, bound = Override(*row[:6]), row[6:]
        its = given.learner, given.exercise
        found[its] = replace(given, holds=holds(connection, *its, *bound))
    return found
