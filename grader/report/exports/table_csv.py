"""Writes marks as one table, a row for each learner; knows no learning platform."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TextIO

from ...course.syllabus import syllabus
from ...gradebook.store import Gradebook
from .spreadsheet import rows


def write(book: Gradebook, out: TextIO) -> None:
    """`learner, points, max_points`, of each exercise points and verdict, and last `doubts`."""
    rows(out, _table(book))


def _table(book: Gradebook) -> Iterator[Sequence[str | float]]:
    names = syllabus().names
    columns = [column for name in names for column in (name, f"{name} verdict")]
    yield ["learner", "points", "max_points", *columns, "doubts"]
    for submission in book.submissions():
        marks = {mark.name: mark for mark in submission.marks}
        cells: list[str | float] = []
        for name in names:
            mark = marks.get(name)
            cells += [mark.points, str(mark.verdict)] if mark else ["", "missing"]
        doubts = " ".join(submission.doubts)
        yield [submission.learner, submission.points, submission.max_points, *cells, doubts]
