"""Takes from a roster the learners who may ask the checker; knows no token."""

from pathlib import Path

from ..gradebook.roster import RosterError, is_like_canvas_user, is_test_student, numbered_rows
from ..report.exports.spreadsheet import defused
from ..submission import short_name, text_of

# The columns that name a learner, the most usual first.
_COLUMNS = ("learner", "SIS Login ID", "ID number", "Username", "Email address", "Student")
_LONGEST = 100


def read_roster(path: Path) -> tuple[str, ...]:
    """The learners of a roster, in its order: one a line, or a column of a CSV with a head.

    Raises RosterError: a name becomes the name of a file.
    """
    rows = numbered_rows(path)
    column, head = 0, rows[0][1] if rows else []
    named = [name for name in _COLUMNS if name in head]
    if named:
        column, rows = head.index(named[0]), rows[1:]
    seen: dict[str, tuple[int, str]] = {}
    for line, row in rows:
        name = row[column].strip() if column < len(row) else ""
        # Canvas's second row, and whom it has for teachers to look as
        if name in ("", "Points Possible") or is_test_student(dict(zip(head, row, strict=False))):
            continue
        if why := unfit(name):
            raise RosterError(f"{path}, line {line}: {name!r} {why}")
        first, other = seen.setdefault(short_name(name), (line, name))
        if first != line:
            whom = repr(name) if other == name else f"{other!r} and {name!r}"
            raise RosterError(
                f"{path}, lines {first} and {line}: {whom} would be one learner; give each a name "
                "of their own in a column `learner`, or remove one of the lines"
            )
    if not seen:
        raise RosterError(f"{path} names nobody")
    return tuple(name for _, name in seen.values())


def unfit(name: str) -> str:
    """Why no learner can be called this; empty where one can, as a name becomes a file's."""
    if len(name) > _LONGEST or len(name.encode("utf-8", "surrogatepass")) > 2 * _LONGEST:
        return f"is longer than {_LONGEST} characters, or than {2 * _LONGEST} bytes"
    if name.startswith(".") or any(c in '/\\:*?"<>|' or not c.isprintable() for c in name):
        return "is no name for a file"
    if defused(name) != name:  # lists of hand-ins and their times are opened as tables too
        return "is a formula to a spreadsheet"
    if is_like_canvas_user(name):
        return "is what somebody is called of whom Canvas' number alone is known"
    return "" if text_of(name) == name else "is no text"
