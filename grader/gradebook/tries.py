"""What the checker has seen of each learner at each exercise before the marks; knows no mark."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from .roster import read_records
from .times import moment

HEAD = ("learner", "exercise", "time", "verdict")
_NOT_MARKED = "not marked"  # the checker itself failed: no try of the learner's
_PASSED = "passed"


@dataclass(frozen=True)
class Tried:
    """One learner's way to one exercise: up to the try that passed, or the last one."""

    learner: str
    exercise: str
    tries: int
    first: datetime
    last: datetime
    is_passed: bool


def read_tries(path: Path) -> list[Tried]:
    """A file of tries, as what each has tried; raises RosterError and TimesError."""
    rows = read_records(path, *([column] for column in HEAD))
    told = [
        (moment(row["time"], f"{path}, {row['learner']}: "), row)
        for row in rows
        if row["verdict"] != _NOT_MARKED
    ]
    found: dict[tuple[str, str], Tried] = {}
    for time, row in sorted(told, key=lambda each: each[0]):
        learner, exercise = row["learner"], row["exercise"]
        known = found.get((learner, exercise))
        if known is not None and known.is_passed:
            continue
        tries, first = (known.tries + 1, known.first) if known else (1, time)
        tried = Tried(learner, exercise, tries, first, time, row["verdict"] == _PASSED)
        found[learner, exercise] = tried
    return list(found.values())


def set_tries(connection: sqlite3.Connection, tried: Iterable[Tried]) -> None:
    """Keep these in place of those before."""
    connection.execute("DELETE FROM tried")
    rows = (
        (w.learner, w.exercise, w.tries, w.first.isoformat(), w.last.isoformat(), w.is_passed)
        for w in tried
    )
    connection.executemany("INSERT INTO tried VALUES (?, ?, ?, ?, ?, ?)", rows)


def tries_known(connection: sqlite3.Connection) -> list[Tried]:
    """All that is kept."""
    return [
        Tried(learner, exercise, tries, moment(first), moment(last), bool(is_passed))
        for learner, exercise, tries, first, last, is_passed in connection.execute(
            "SELECT * FROM tried"
        )
    ]
