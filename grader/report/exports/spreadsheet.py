"""Writes marks as one table, in which no cell is a formula to a spreadsheet; knows no platform."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from ...candidate.records import Mark
from ...curriculum.syllabus import syllabus
from ...gradebook.store import Gradebook
from .. import wording
from ..text import in_sentences, visible
from . import Options

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[+-]\d+")  # which computes nothing: a login, which a platform looks for
# Where the country separates cells otherwise than by commas, a cell may begin within another.
# All that separates is taken at once, or each line of many empty ones would look at all the others.
_SEPARATES = re.compile(r"[;|\t]")
_INNER = re.compile(r"([;\t\n|][;|\s]*+)([=+\-@＝＋－＠]?)")


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """`learner, points, max_points`, of each exercise points and verdict, `doubts`, `not read`.

    With a scale of its own, `total` stands behind `max_points`; where a deadline is stated,
    `late %` is the share of it that lateness took off.
    """
    rows(out, _table(book, options))


def _table(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    course = syllabus().exercises
    names = [each.name for each in course if not book.chapters or each.chapter in book.chapters]
    scale, late = options.scale, options.scale.late
    columns = [column for name in names for column in (name, f"{name} verdict")]
    total = [*(["total"] if scale.changes else []), *(["late %"] if late else [])]
    yield ["learner", "points", "max_points", *total, *columns, "doubts", "not read", "by hand"]
    for submission in book.submissions():
        marks = {mark.name: mark for mark in submission.marks}
        row: list[str | float] = [submission.learner, submission.points, submission.max_points]
        row += [scale.total(submission)] if scale.changes else []
        row += [round(100 * late.cost(submission.learner), 6)] if late else []
        for name in names:
            mark = marks.get(name)
            row += [mark.points, str(mark.verdict)] if mark else ["", "missing"]
        said = [*map(_by_hand, submission.marks)]
        rest = (submission.doubts, submission.problems, filter(None, said))
        yield [*row, *map(" ".join, rest)]


def _by_hand(mark: Mark) -> str:
    """What people set and wrote of one answer."""
    said = in_sentences(mark.by_hand, *(" ".join(wording.note(each)) for each in mark.notes))
    return f"{mark.name}: {said}" if said else ""


def rows(out: TextIO, table: Iterable[Sequence[str | float]], of_lines: int | None = None) -> None:
    """Write rows as CSV; numbers stay numbers, every text is defused and on one line.

    Nothing is written of a table that raises, such as one that finds a row in doubt.
    `of_lines`: the column whose texts have several. The first cell names somebody: but for its
    beginning it stays as it is, in quotes where another kind of table might end it earlier.
    """
    plain = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for row in [*table]:
        cells = [
            (defused(cell) if number == of_lines else _on_one_line(defused(cell)))
            if isinstance(cell, str)
            else cell
            for number, cell in enumerate(row)
        ]
        if isinstance(row[0], str) and _INNER.search(row[0]):
            cells[0] = _begun(_on_one_line(visible(row[0])))
        (quoted if cells and _SEPARATES.search(str(cells[0])) else plain).writerow(cells)


def _on_one_line(text: str) -> str:
    return text.replace("\n", "\\n")


def defused(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    # Before the first character of an inner cell too, if that begins a formula.
    shown = _INNER.sub(lambda m: f"{m[1]}'{m[2]}" if m[2] else m[0], visible(text))
    return _begun(shown)


def _begun(shown: str) -> str:
    """The text, with an apostrophe before it where it begins a formula.

    Another one where it has that already: no two names come out as one.
    """
    bare = shown.lstrip("'")
    risky = bare.startswith(_FORMULA) or bare.lstrip().startswith(_FORMULA)
    return "'" + shown if risky and not _NUMBER.fullmatch(shown) else shown
