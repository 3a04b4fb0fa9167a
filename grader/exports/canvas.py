"""Writes points as a CSV that Canvas imports into its gradebook; knows no check."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from ..gradebook import Gradebook
from ..records import SubmissionMarks
from ..syllabus import syllabus
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
    yield ["    Points Possible", "", "", "", "", sum(e.points for e in syllabus().exercises)]
    for submission in book.submissions():
        yield [*_identity(submission, roster), submission.points]


def _identity(submission: SubmissionMarks, roster: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    learner = submission.learner
    return roster.get(learner, (learner, "", "", learner, ""))


def _roster(path: Path) -> dict[str, tuple[str, ...]]:
    """Rows of Canvas's own export by each of their names, where no two rows share it."""
    found: dict[str, tuple[str, ...]] = {}
    shared: set[str] = set()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = {"Student", "ID"} - set(reader.fieldnames or ())
            if missing:
                raise ExportError(f"{path} is no gradebook of Canvas: no column {missing.pop()!r}")
            for row in reader:
                identity = tuple(row.get(column) or "" for column in _HEAD)
                for name in {cell for cell in identity[:4] if cell}:
                    shared |= {name} if name in found else set()
                    found[name] = identity
    except (OSError, UnicodeError, csv.Error) as error:
        raise ExportError(f"{path} cannot be read: {error}") from None
    return {name: identity for name, identity in found.items() if name not in shared}
