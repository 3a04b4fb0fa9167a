"""Writes marks as one table, a row for each learner; knows no learning platform."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from ...course.syllabus import syllabus
from ...gradebook.store import Gradebook
from . import Options
from .spreadsheet import rows


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """`learner, points, max_points`, of each exercise points and verdict, and last `doubts`.

    With a scale of its own, `total` stands behind `max_points`.
    """
    rows(out, _table(book, options))


def _table(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    course = syllabus().exercises
    names = [each.name for each in course if not book.chapters or each.chapter in book.chapters]
    scale = options.scale
    columns = [column for name in names for column in (name, f"{name} verdict")]
    total = ["total"] if scale.changes else []
    yield ["learner", "points", "max_points", *total, *columns, "doubts"]
    for submission in book.submissions():
        marks = {mark.name: mark for mark in submission.marks}
        cells: list[str | float] = []
        for name in names:
            mark = marks.get(name)
            cells += [mark.points, str(mark.verdict)] if mark else ["", "missing"]
        doubts = " ".join(submission.doubts)
        scaled = [scale.total(submission)] if scale.changes else []
        head: list[str | float] = [
            submission.learner,
            submission.points,
            submission.max_points,
            *scaled,
        ]
        yield [*head, *cells, doubts]
