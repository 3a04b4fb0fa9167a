"""Reads who takes part from a list or a platform's CSV; knows no token."""

from __future__ import annotations

import csv
from pathlib import Path

from ..submission import short_name, text_of

# The columns that name a learner, the most usual first.
_COLUMNS = ("learner", "SIS Login ID", "ID number", "Username", "Email address", "Student")
_LONGEST = 100


class RosterError(Exception):
    """The roster cannot be used; the message says which line and why."""


def read_roster(path: Path) -> tuple[str, ...]:
    """The learners of a roster, in its order: one a line, or a column of a CSV with a head.

    Raises RosterError: a name becomes the name of a file.
    """
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeError, csv.Error) as error:
        raise RosterError(f"{path} cannot be read: {error}") from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    column = 0
    named = [name for name in _COLUMNS if rows and name in rows[0]]
    if named:
        column, rows = rows[0].index(named[0]), rows[1:]
    names = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
    names = [name for name in names if name != "Points Possible"]  # Canvas's second row
    seen: dict[str, str] = {}
    for name in names:
        if why := _unfit(name):
            raise RosterError(f"{path}: {name!r} {why}")
        other = seen.setdefault(short_name(name, folded=True), name)
        if other != name:
            raise RosterError(f"{path}: {other!r} and {name!r} would be one file's name")
    if not seen:
        raise RosterError(f"{path} names nobody")
    return tuple(dict.fromkeys(names))


def _unfit(name: str) -> str:
    if len(name) > _LONGEST:
        return f"is longer than {_LONGEST} characters"
    if name.startswith(".") or any(c in '/\\:*?"<>|' or not c.isprintable() for c in name):
        return "is no name for a file"
    return "" if text_of(name) == name else "is no text"
