"""Writes points and feedback as CSV for Moodle, or fills its worksheet; knows no check."""

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from ...candidate.records import Doubt
from ...gradebook.store import Gradebook
from ..text import name_of
from . import ExportError, Options
from .feedback import in_short
from .spreadsheet import defused, rows

_IDENTIFIER, _GRADE, _MOST, _FEEDBACK = "Identifier", "Grade", "Maximum grade", "Feedback comments"
_NUMBER = re.compile(r"(\d+)\s*$")
# How Moodle names a learner's folder when it hands out all submissions of an assignment.
_FOLDER = re.compile(r"_(\d+)(?=_assignsubmission_)")


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """For the gradebook's import: `ID number, Grade, Feedback`; the ID is the learner's name.

    With `roster`, an assignment's worksheet as downloaded: that sheet, filled in. Its rows are
    matched by the number of the participant, which Moodle writes into the names of submissions.
    """
    if options.roster is None:
        rows(out, _import(book, options))
    else:  # Moodle's own cells go back as they came, or Moodle takes them for changed
        csv.writer(out, lineterminator="\n").writerows(_worksheet(book, options.roster, options))


def _import(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    yield ["ID number", "Grade", "Feedback"]
    for submission in book.submissions():
        if Doubt.FAILED not in submission.doubts:  # no grade is better than one that nobody made
            yield [submission.learner, options.scale.total(submission), in_short(submission)]


def _worksheet(book: Gradebook, path: Path, options: Options) -> Iterator[Sequence[str | float]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head, *sheet = csv.reader(file)
    except (UnicodeError, csv.Error, ValueError) as error:
        raise ExportError(f"{path} cannot be read: {error}") from None
    missing = [name for name in (_IDENTIFIER, _GRADE, _FEEDBACK) if name not in head]
    if missing:
        raise ExportError(
            f"{path} is no worksheet of Moodle in English: no column {missing[0]!r}. Moodle names "
            "columns in the language of whoever downloads; download it with Moodle set to English"
        )
    learners: dict[str, str] = {}
    for name in book.learners():
        numbers = _FOLDER.findall(name) or _NUMBER.findall(name)
        if len(numbers) > 1:
            raise ExportError(
                f"{name_of(name)} may be participant {' or '.join(numbers)}: rename the submission "
                "and grade again"
            )
        if numbers and (other := learners.setdefault(numbers[0], name)) != name:
            raise ExportError(
                f"{name_of(other)} and {name_of(name)} are both participant {numbers[0]}: rename "
                "one of the submissions and grade again"
            )
    yield head
    for row in sheet:
        found = _NUMBER.search(row[head.index(_IDENTIFIER)])
        learner = learners.get(found[1]) if found else None
        submission = book.submission(learner) if learner is not None else None
        cells: list[str | float] = list(row)
        if submission is not None and Doubt.FAILED not in submission.doubts:
            # On the assignment's own scale: Moodle skips a grade above its maximum.
            own = None
            with suppress(ValueError):
                own = float(row[head.index(_MOST)].replace(",", "."))
            cells[head.index(_GRADE)] = options.scale.total(submission, own)
            cells[head.index(_FEEDBACK)] = defused(in_short(submission))
        yield cells
