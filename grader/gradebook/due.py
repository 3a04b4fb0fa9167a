"""Keeps in a gradebook when a class's work was due and handed in; knows no mark."""

import sqlite3
from collections.abc import Mapping

from .lateness import Extension, Lateness
from .times import HandedInAt, as_row, from_row, moment


def set_times(
    connection: sqlite3.Connection, times: Mapping[str, HandedInAt], *, keeps: bool
) -> None:
    """Keep these times, in place of others unless it `keeps` them."""
    if not keeps:
        connection.execute("DELETE FROM handed_in")
    rows = [(learner, *as_row(at)) for learner, at in times.items()]
    connection.executemany("INSERT OR REPLACE INTO handed_in VALUES (?, ?, ?, ?, ?)", rows)


def set_due(
    connection: sqlite3.Connection,
    deadline: str,
    rule: str,
    extensions: Mapping[str, Extension] | None,
) -> None:
    """State the deadline and the rule, none where both are empty; None leaves extensions alone."""
    connection.execute("DELETE FROM due")
    if deadline:
        connection.execute("INSERT INTO due VALUES (?, ?)", (deadline, rule))
    if extensions is None:
        return
    connection.execute("DELETE FROM extension")
    rows = [
        (learner, each.until.isoformat() if each.until else "", each.days, each.reason)
        for learner, each in extensions.items()
    ]
    connection.executemany("INSERT INTO extension VALUES (?, ?, ?, ?)", rows)


def times_known(connection: sqlite3.Connection) -> dict[str, HandedInAt]:
    """Who handed in when, as far as it was said."""
    rows = connection.execute("SELECT learner, time, zone, source, late FROM handed_in")
    return {learner: from_row(*at) for learner, *at in rows}


def extensions_given(connection: sqlite3.Connection) -> dict[str, Extension]:
    """Who was given more time."""
    rows = connection.execute("SELECT learner, until, days, reason FROM extension")
    return {
        learner: Extension(moment(until) if until else None, days, reason)
        for learner, until, days, reason in rows
    }


def lateness_of(connection: sqlite3.Connection) -> Lateness | None:
    """What was stated; None where nobody has said when it was due."""
    due = connection.execute("SELECT deadline, rule FROM due").fetchone()
    if due is None:
        return None
    times, extensions = times_known(connection), extensions_given(connection)
    return Lateness(moment(due[0]), due[1], times, extensions)
