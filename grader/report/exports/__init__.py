"""The forms in which marks leave; each reads the gradebook and nothing else."""

import importlib
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from ...candidate.records import SubmissionMarks
from ...curriculum.complaint import Complaint
from ...gradebook.store import Gradebook
from ..looks import unread
from ..standing import absent, alike, held_to, incomplete, listed, waiting
from ..text import name_of
from .totals import Scale


class ExportError(Complaint):
    """The marks cannot be written in this form; the message says what to give."""


class Incomplete(ExportError):
    """Marks are missing or may be old, and nobody has asked for them as they are."""


@dataclass(frozen=True)
class Options:
    """What some forms need beside the marks."""

    learner: str = ""  # for forms that hold one learner
    roster: Path | None = None  # the platform's own list of learners
    title: str = ""  # of the assignment; else the course's
    context: Path | None = None  # facts that only the platform knows, as JSON
    incomplete: bool = False  # marks are written though some are missing or may be old
    chapters: tuple[str, ...] = ()  # these alone count; else those of the gradebook
    scale: Scale = field(default_factory=Scale)


# Form → the module that writes it, imported when asked for. `write(book, out, options)` finds the
# book narrowed to the chapters asked for, and raises ExportError before it writes anything.
# A new form has its module here, its line in this table and a place in docs/marks-schema.md.
FORMS = {
    "json": "marks_json",
    "csv": "spreadsheet",
    "canvas": "canvas",
    "moodle": "moodle",
    "gradescope": "gradescope",
    "classroom50": "classroom50",
    "junit": "junit",
    "page": "page",
}
SCALED = ("csv", "canvas", "moodle")  # forms with one number for each learner


# Forms whose rows a platform looks for by whom they name; `left_out(book, options)` of the module
# gives the learners whom it would not find, and `misfits(options)` of a form that fills a column of
# the platform's what is said of it and is not so there.
_MATCHED = ("canvas", "moodle")
_FILLS_A_COLUMN = ("canvas",)
_OF_ONE = ("gradescope", "classroom50", "junit", "page")
_LEFT_OUT = {
    False: "Left out, as the platform knows them by a number alone; give its list as --roster",
    True: "Left out, as no row of the roster is theirs beyond doubt",
}


def remarks(book: Gradebook, form: str, options: Options) -> list[str]:
    """What whoever exports these marks must know."""
    strangers: list[str] = []
    if form in _MATCHED:
        names = importlib.import_module(f".{FORMS[form]}", __name__).left_out(book, options)
        if names:
            strangers = [f"{_LEFT_OUT[options.roster is not None]}: {listed(names)}."]
    if form in _FILLS_A_COLUMN:
        strangers += importlib.import_module(f".{FORMS[form]}", __name__).misfits(options)
    standing = book.standing()
    if form in _OF_ONE and options.learner:  # the others have no say
        standing = replace(
            standing,
            nobodys=(),
            unread=tuple(each for each in standing.unread if each[0] == options.learner),
            alike=tuple(names for names in standing.alike if options.learner in names),
            waiting=tuple(each for each in standing.waiting if each[0] == options.learner),
        )
    late = options.scale.late
    of_times = late.unmatched(book.learners(), {*book.learners(), *standing.absent}) if late else []
    left_out = [] if book.include_absent else absent(standing)
    held = [] if options.chapters else held_to(book.chapters)
    own = [*held, *strangers, *incomplete(standing), *of_times, *left_out]
    return [*own, *waiting(standing), *alike(standing), *unread(standing)]


def export(form: str, book: Gradebook, out: TextIO, options: Options) -> None:
    """Write the gradebook in one form; raises ExportError, and Incomplete before anything."""
    _refuse(form, book, options)
    book.chapters = options.chapters or book.chapters
    importlib.import_module(f".{FORMS[form]}", __name__).write(book, out, options)


def export_each(form: str, book: Gradebook, options: Options) -> Iterator[tuple[str, str]]:
    """Every learner with what `export` writes for them alone, in a form that holds one."""
    _refuse(form, book, options)
    book.chapters = options.chapters or book.chapters
    module = importlib.import_module(f".{FORMS[form]}", __name__)
    for learner in book.learners():
        out = io.StringIO()
        module.write(book, out, replace(options, learner=learner))
        yield learner, out.getvalue()


def _refuse(form: str, book: Gradebook, options: Options) -> None:
    standing = book.standing()
    if not standing.is_complete and not options.incomplete:
        raise Incomplete(
            f"{book.path} is incomplete. {' '.join(incomplete(standing))} Run the same `grader "
            "grade` again to mark the rest, or give --incomplete to export what there is"
        )
    if options.learner and form not in _OF_ONE:
        raise ExportError(
            f"{form} holds the whole class, and --learner would not narrow it: leave it out, or "
            f"take a form that can hold one learner: {', '.join(_OF_ONE)}"
        )
    if options.scale.changes and form not in SCALED:
        raise ExportError(f"{form} holds points as they are; {', '.join(SCALED)} have a scale")
    if form in SCALED and options.scale.late is not None and not options.incomplete:
        everybody = {*book.learners(), *standing.absent}
        if told := options.scale.late.unmatched(book.learners(), everybody):
            raise Incomplete(
                f"{' '.join(told)} Mend the file of times (learner,time) and grade again, or give "
                "it to `grader due` as --times; --incomplete takes them for in time"
            )


def one_submission(book: Gradebook, options: Options) -> SubmissionMarks:
    """The learner of `options`, or the only one there is; raises ExportError."""
    if options.learner:
        found = book.submission(options.learner)
        if found is None:
            name = name_of(options.learner)
            if options.learner in book.standing().absent:
                raise ExportError(
                    f"the latest run did not find {name}; --include-absent exports older marks"
                )
            raise ExportError(f"no learner is called {name} in {book.path}")
        return found
    first = [submission for submission, _ in zip(book.submissions(), range(2), strict=False)]
    if len(first) != 1:
        many = "several" if first else "no"
        raise ExportError(f"{book.path} holds {many} submissions, this form one: give --learner")
    return first[0]
