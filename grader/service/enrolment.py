"""Takes from a roster the learners who may ask the checker; knows no token."""

from pathlib import Path

from ..gradebook.roster import RosterError, read_rows
from ..report.exports.spreadsheet import defused
from ..submission import short_name, text_of

# The columns that name a learner, the most usual first.
_COLUMNS = ("learner", "SIS Login ID", "ID number", "Username", "Email address", "Student")
_LONGEST = 100


def read_roster(path: Path) -> tuple[str, ...]:
    """The learners of a roster, in its order: one a line, or a column of a CSV with a head.

    Raises RosterError: a name becomes the name of a file.
    """
    rows = read_rows(path)
    column = 0
    named = [name for name in _COLUMNS if rows and name in rows[0]]
    if named:
        column, rows = rows[0].index(named[0]), rows[1:]
    names = [row[column].strip() for row in rows if column < len(row) and row[column].strip()]
    names = [name for name in names if name != "Points Possible"]  # Canvas's second row
    seen: dict[str, str] = {}
    for name in names:
        if why := unfit(name):
            raise RosterError(f"{path}: {name!r} {why}")
        other = seen.setdefault(short_name(name, folded=True), name)
        if other != name:
            raise RosterError(f"{path}: {other!r} and {name!r} would be one file's name")
    if not seen:
        raise RosterError(f"{path} names nobody")
    return tuple(dict.fromkeys(names))


def unfit(name: str) -> str:
    """Why no learner can be called this; empty where one can, as a name becomes a file's."""
    if len(name) > _LONGEST or len(name.encode("utf-8", "surrogatepass")) > 2 * _LONGEST:
        return f"is longer than {_LONGEST} characters, or than {2 * _LONGEST} bytes"
    if name.startswith(".") or any(c in '/\\:*?"<>|' or not c.isprintable() for c in name):
        return "is no name for a file"
    if defused(name) != name:  # lists of hand-ins and their times are opened as tables too
        return "is a formula to a spreadsheet"
    return "" if text_of(name) == name else "is no text"
