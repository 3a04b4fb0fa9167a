"""Reads and writes tables of a class, as platforms' rosters are; knows no mark and no token."""

import csv
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from ..curriculum.complaint import Complaint

Table = Literal["groups", "manifest", "times", "tries"]
Read = TypeVar("Read")
_CANVAS_USER = re.compile(r"Canvas user ([0-9]+)")
# What Canvas calls whom a teacher looks at a course as, with a hash for a login and no SIS ID.
_TEST_STUDENT = ("Student, Test", "Test Student")
_HASH = re.compile(r"(?:[0-9a-f]{10,})?")


class RosterError(Complaint):
    """The roster cannot be used; the message says which file or line, and why."""


def table_of(folder: Path, table: Table) -> Path:
    """Where a table of a class lies: beside its folder, where nothing of a learner's is put."""
    folder = folder.resolve()
    return folder.with_name(f"{folder.name}_{table}.csv")


def read_beside(folder: Path, table: Table, read: Callable[[Path], Read]) -> Read | None:
    """What a table beside a class says; None where there is none, or no folder."""
    place = table_of(folder, table)
    return read(place) if folder.is_dir() and place.is_file() else None


def numbered_rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, the head among them, each with the line on which it ends.

    Raises RosterError.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            every = ((reader.line_num, row) for row in reader)
            rows = [(line, row) for line, row in every if any(cell.strip() for cell in row)]
    except (OSError, UnicodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise RosterError(f"{path} cannot be read: {why}") from None
    if rows and len(rows[0][1]) == 1 and re.search("[;\t]", rows[0][1][0]):  # as some sheets do
        raise RosterError(f"{path} has no commas between its columns: save it as CSV with commas")
    return rows


def read_records(path: Path, *columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows below the head, by its columns; of each of `columns`, one name has to be there.

    Raises RosterError.
    """
    head, *rows = [row for _, row in numbered_rows(path)] or [[]]
    named = [column for column in head if column]
    if len(named) > len(set(named)):
        raise RosterError(f"{path} has a column twice; nobody can tell which one counts")
    for names in columns:
        if not set(names).intersection(head):
            raise RosterError(f"{path} has no column {' or '.join(names)}")
    return [dict(zip(head, [*row, *[""] * len(head)], strict=False)) for row in rows]


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A CSV file of a head and rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


def canvas_user(number: str) -> str:
    """What `arrange` calls somebody of whom only Canvas's number is known."""
    return f"Canvas user {number}"


def is_test_student(row: Mapping[str, str]) -> bool:
    """Whether a row of Canvas's list is nobody's: its Test Student, whom each course may have."""
    return (
        row.get("Student", "").strip() in _TEST_STUDENT
        and "SIS Login ID" in row
        and not row.get("SIS User ID", "").strip()
        and _HASH.fullmatch(row["SIS Login ID"].strip()) is not None
    )


def is_like_canvas_user(name: str) -> bool:
    """Whether a name reads like one that `canvas_user` makes.

    People choose their names, so wherever a list brings one that does, it is refused or changed:
    `canvas_number` is a word of ours alone.
    """
    words = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name).casefold())
    return [word for word in words if word][:2] == ["canvas", "user"]


def canvas_number(learner: str) -> str:
    """The number that `canvas_user` made a name of; empty for every other name."""
    found = _CANVAS_USER.fullmatch(learner)
    return found[1] if found else ""
