"""Writes points as a CSV that Canvas imports into its gradebook; knows no check."""

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from ...candidate.records import Doubt
from ...course.syllabus import syllabus
from ...gradebook.roster import RosterError, read_records
from ...gradebook.store import Gradebook
from ..text import name_of
from . import ExportError, Options
from .spreadsheet import rows

_HEAD = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """One column, the points in all; `title` may end with Canvas's own number: `Marks (1234)`.

    A learner's name is their SIS login. With `roster`, a gradebook exported from Canvas, each is
    looked up there by login, ID, SIS ID or name, and gets the row's identity.
    """
    rows(out, _table(book, options))


def _table(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    roster = _roster(options.roster) if options.roster else {}
    yield [*_HEAD, options.title]
    course = syllabus().exercises
    shown = [each for each in course if not book.chapters or each.chapter in book.chapters]
    most = options.scale.out_of
    yield ["    Points Possible", *[""] * 4, sum(e.points for e in shown) if most is None else most]
    rows: dict[tuple[str, ...], str] = {}  # of the roster, by whom they were given to
    for submission in book.submissions():
        if Doubt.FAILED in submission.doubts:
            continue  # no mark is better than one that nobody made
        learner = submission.learner
        known = roster.get(_plain(learner))
        if known is not None and (other := rows.setdefault(known, learner)) != learner:
            raise ExportError(
                f"{name_of(other)} and {name_of(learner)} are one row of the roster, "
                f"{name_of(known[0])}: rename one of the submissions and grade again"
            )
        total = options.scale.total(submission)
        yield [*(known or (learner, "", "", learner, "")), total]


def _plain(name: str) -> str:
    """The same for a name however its accents are encoded, as systems differ in that."""
    return unicodedata.normalize("NFC", name)


def _roster(path: Path) -> dict[str, tuple[str, ...]]:
    """Rows of Canvas's own export by each of their names, where no two rows share it."""
    found: dict[str, tuple[str, ...]] = {}
    shared: set[str] = set()
    try:
        rows = read_records(path, ["Student"], ["ID"])
    except RosterError as error:
        raise ExportError(f"{path} is no gradebook of Canvas: {error}") from None
    for row in rows:
        identity = tuple(row.get(column, "") for column in _HEAD)
        for name in {_plain(cell) for cell in identity[:4] if cell}:
            shared |= {name} if name in found else set()
            found[name] = identity
    return {name: identity for name, identity in found.items() if name not in shared}
