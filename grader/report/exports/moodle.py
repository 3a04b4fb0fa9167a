"""Writes points and feedback as CSV for Moodle, or fills its worksheet; knows no check."""

import csv
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TextIO

from ...candidate.records import Doubt, SubmissionMarks
from ...curriculum.complaint import Complaint
from ...gradebook.store import Gradebook
from . import Options
from .feedback import in_short
from .spreadsheet import defused, rows

_IDENTIFIER, _GRADE, _FEEDBACK = "Identifier", "Grade", "Feedback comments"
_MOST = ("Maximum grade", "Maximum Grade")  # as newer Moodles write it, and older ones
_NUMBER = re.compile(r"(\d+)\s*$")
# How Moodle names a learner's folder when it hands out all submissions of an assignment.
_FOLDER = re.compile(r"_(\d+)(?=_assignsubmission_)")
_ARRANGED = re.compile(r"(.+)_(\d+)")  # and as `grader arrange` calls it
_FULL = "Full name"
_UNFIT = re.compile(r"[\W_]+")  # what a folder's name may have otherwise


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """For the gradebook's import: `ID number, Grade, Feedback`; the ID is the learner's name.

    With `roster`, an assignment's worksheet as downloaded: that sheet, filled in. Its rows are
    matched by the number of the participant, which Moodle writes into the names of submissions.
    """
    if options.roster is None:
        rows(out, _import(book, options), of_lines=2)
    else:  # Moodle's own cells go back as they came, or Moodle takes them for changed
        csv.writer(out, lineterminator="\n").writerows(_worksheet(book, options.roster, options))


def left_out(book: Gradebook, options: Options) -> list[str]:
    """The learners of whom Moodle would find nobody, or somebody else."""
    if options.roster is None:
        return [name for name in book.learners() if _numbers_of(name)]
    _, found, _ = _matched(book, options.roster)
    matched = {*found.values()}
    return [name for name in book.learners() if name not in matched]


def _numbers_of(learner: str) -> list[str]:
    """The participant's number in the name that Moodle, or `grader arrange`, gave a submission.

    Where it may be one or another, all of them.
    """
    arranged = _ARRANGED.fullmatch(learner)
    return _FOLDER.findall(learner) or ([arranged[2]] if arranged else [])


def _import(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    yield ["ID number", "Grade", "Feedback"]
    for submission in book.submissions():
        if _numbers_of(submission.learner):
            continue  # a participant's number is no ID number
        if Doubt.FAILED not in submission.doubts:  # no grade is better than one that nobody made
            yield [submission.learner, options.scale.total(submission), _feedback(submission)]


def _worksheet(book: Gradebook, path: Path, options: Options) -> Iterator[Sequence[str | float]]:
    (head, sheet), found, most_of = _matched(book, path)
    yield head
    for number, row in enumerate(sheet):
        learner = found.get(number)
        submission = book.submission(learner) if learner is not None else None
        cells: list[str | float] = list(row)
        if submission is not None and Doubt.FAILED not in submission.doubts:
            # On the assignment's own scale: Moodle skips a grade above its maximum.
            cells[head.index(_GRADE)] = options.scale.total(submission, most_of(row))
            cells[head.index(_FEEDBACK)] = defused(_feedback(submission))
        yield cells


def _feedback(submission: SubmissionMarks) -> str:
    """What a learner should read, as text within HTML, which is what Moodle takes it for."""
    return escape(in_short(submission), quote=False)


def _matched(
    book: Gradebook, path: Path
) -> tuple[tuple[list[str], list[list[str]]], dict[int, str], Callable[[list[str]], float | None]]:
    """Head and rows of a worksheet, whose each row is, and what gives a row's own maximum.

    A row is a learner's where the participant's number is, and the name where the sheet has one,
    and no other learner has both too. Raises Complaint.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            head, *sheet = filter(None, csv.reader(file))  # no blank lines
    except (UnicodeError, csv.Error, ValueError) as error:
        raise Complaint(f"{path} cannot be read: {error}") from None
    missing = [name for name in (_IDENTIFIER, _GRADE, _FEEDBACK) if name not in head]
    if missing:
        raise Complaint(
            f"{path} is no worksheet of Moodle in English: no column {missing[0]!r}. Moodle names "
            "columns in the language of whoever downloads; download it with Moodle set to English"
        )
    learners: dict[str, list[str]] = {}
    for name in book.learners():
        numbers = _numbers_of(name)
        if len(numbers) == 1:
            learners.setdefault(numbers[0], []).append(name)
    found = {}
    for place, row in enumerate(sheet):
        given = _NUMBER.search(row[head.index(_IDENTIFIER)])
        full = row[head.index(_FULL)] if _FULL in head else ""
        number = given[1] if given else ""
        theirs = [each for each in learners.get(number, ()) if _is_called(each, number, full)]
        if len(theirs) == 1:
            found[place] = theirs[0]

    most = next((head.index(name) for name in _MOST if name in head), None)

    def most_of(row: list[str]) -> float | None:
        with suppress(ValueError):
            return None if most is None else float(row[most].replace(",", "."))
        return None

    return (head, sheet), found, most_of


def _is_called(learner: str, number: str, full: str) -> bool:
    """Whether a submission's name begins with a participant's own, in whatever order."""
    own = learner.partition(f"_{number}_assignsubmission_")[0].removesuffix(f"_{number}")
    return not full or _words(own) == _words(full)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFC", name).casefold()
    return sorted(_UNFIT.sub(" ", plain).split())
