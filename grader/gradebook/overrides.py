"""Points that a person set, beside the marks that the grader made: no regrade touches them.

They are for one answer. Where another one counts later, they wait, and that is told.
"""

import hashlib
import sqlite3
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ..candidate.records import Mark
from .entries import pieces_from
from .words import GradebookError
from .written import seen

_TABLE = """
CREATE TABLE IF NOT EXISTS override (
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    points REAL NOT NULL,
    reason TEXT NOT NULL,
    who TEXT NOT NULL,
    time TEXT NOT NULL,
    answer TEXT,  -- the code that they are for, as a hash; null: whatever it is
    bytes TEXT,   -- what was handed in then, as a hash
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
    holds: bool = True  # whether the answer that they are for is the one that counts

    def put(self, mark: Mark) -> Mark:
        """The mark with these points, which says so; its own where they are for another answer."""
        what = "1 point" if self.points == 1 else f"{self.points:g} points"
        if not self.holds:
            message = f"{self.who} set {what} on {self.day} for another answer; this one counts now"
            return replace(mark, by_hand=f"{message}, with what was found: {self.reason}")
        found = f"{mark.points:g} were found"
        message = f"{self.who} set this to {what} on {self.day} ({found})"
        return replace(mark, points=self.points, by_hand=f"{message}: {self.reason}")


def check_points(mark: Mark, new: Override | None) -> None:
    """Raise GradebookError where an exercise cannot have these points."""
    if new is not None and not 0 <= new.points <= mark.max_points:
        raise GradebookError(f"{mark.name} has from 0 to {mark.max_points:g} points")


def set_override(connection: sqlite3.Connection, new: Override) -> None:
    """Set it for the answer that counts now; the one before is forgotten."""
    connection.execute(_TABLE)
    if "answer" not in {row[1] for row in connection.execute("PRAGMA table_info(override)")}:
        for column in ("answer", "bytes"):  # of a gradebook from before there were any
            connection.execute(f"ALTER TABLE override ADD COLUMN {column} TEXT")
    time = datetime.now(UTC).strftime("%Y-%m-%d")
    row = (new.learner, new.exercise, new.points, new.reason, new.who, time)
    now = _answer(connection, new.learner, new.exercise), _handed_in(connection).get(new.learner)
    connection.execute("INSERT OR REPLACE INTO override VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row + now)


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
    one = () if learner is None else (learner,)
    where = "WHERE learner = ?" if one else ""
    rows = connection.execute(f"SELECT * FROM override {where}", one).fetchall()
    found, handed_in = {}, _handed_in(connection) if rows else {}
    for row in rows:
        given, (answer, held) = Override(*row[:6]), row[6:] or (None, None)
        # The same files are the same answer, however another grader cuts it out of them.
        if answer is not None and (held is None or held != handed_in.get(given.learner)):
            now = _answer(connection, given.learner, given.exercise)
            given = replace(given, holds=answer == now)
        found[given.learner, given.exercise] = given
    return found


def _answer(connection: sqlite3.Connection, learner: str, exercise: str) -> str:
    """A hash of the code of an answer, wherever it stands."""
    query = (
        "SELECT pieces FROM entry JOIN source ON source.id = entry.source "
        "WHERE learner = ? AND exercise = ?"
    )
    found = connection.execute(query, (learner, exercise)).fetchone() or ("[]",)
    lines = "\n".join(code for *_, code in pieces_from(found[0])).split("\n")
    code = "\n".join(line.rstrip() for line in lines if line.strip())
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _handed_in(connection: sqlite3.Connection) -> dict[str, str]:
    """A hash of all that was handed in, by learner."""
    return {learner: held for learner, (held, _) in seen(connection).items() if held}
