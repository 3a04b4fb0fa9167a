"""The forms in which marks leave; each reads the gradebook and nothing else."""

import importlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from ...candidate.records import SubmissionMarks
from ...curriculum.complaint import Complaint
from ...gradebook.store import Gradebook
from ..looks import unread
from ..standing import absent, alike, held_to, incomplete, listed, waiting
from ..text import name_of
from .totals import Scale


class Incomplete(Complaint):
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


@dataclass(frozen=True)
class ExportForm:
    """A form: the module that writes it, and what sets it apart.

    `write(book, out, options)` of the module finds the book narrowed to the chapters asked for, and
    raises Complaint before it writes anything.
    """

    module: str
    is_scaled: bool = False  # holds one number for each learner
    # A platform looks for its rows by whom they name: `left_out(book, options)` of the module gives
    # the learners whom it would not find.
    is_matched: bool = False
    # `misfits(options)` of the module gives what is said of a column of the platform's own and is
    # not so there.
    fills_a_column: bool = False
    of_one: bool = False  # holds one learner, or can

    def load(self) -> Any:
        """The module, imported when asked for."""
        return importlib.import_module(f".{self.module}", __name__)


# A new form has its module here, its line in this table and a place in docs/marks-schema.md.
FORMS = {
    "json": ExportForm("marks_json"),
    "csv": ExportForm("spreadsheet", is_scaled=True),
    "canvas": ExportForm("canvas", is_scaled=True, is_matched=True, fills_a_column=True),
    "moodle": ExportForm("moodle", is_scaled=True, is_matched=True),
    "gradescope": ExportForm("gradescope", of_one=True),
    "classroom50": ExportForm("classroom50", of_one=True),
    "junit": ExportForm("junit", of_one=True),
    "page": ExportForm("page", of_one=True),
}
_NUMBERED = "as the platform knows them by a number alone; give its list as --roster"
_IN_DOUBT = "as no row of the roster is theirs beyond doubt"


def remarks(book: Gradebook, form: str, options: Options) -> list[str]:
    """What whoever exports these marks must know."""
    strangers: list[str] = []
    kind = FORMS[form]
    if kind.is_matched and (names := kind.load().left_out(book, options)):
        strangers = [f"Left out, {_IN_DOUBT if options.roster else _NUMBERED}: {listed(names)}."]
    if kind.fills_a_column:
        strangers += kind.load().misfits(options)
    standing = book.standing()
    if kind.of_one and options.learner:  # the others have no say
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
    """Write the gradebook in one form; raises Complaint before anything."""
    _writer(form, book, options)(book, out, options)


def export_each(form: str, book: Gradebook, options: Options) -> Iterator[tuple[str, str]]:
    """Every learner with what `export` writes for them alone, in a form that holds one."""
    write = _writer(form, book, options)
    for learner in book.learners():
        out = io.StringIO()
        write(book, out, replace(options, learner=learner))
        yield learner, out.getvalue()


def _writer(form: str, book: Gradebook, options: Options) -> Callable[..., None]:
    """What writes this form, of a book that is narrowed for it; raises Complaint."""
    _refuse(form, book, options)
    book.chapters = options.chapters or book.chapters
    write: Callable[..., None] = FORMS[form].load().write
    return write


def _refuse(form: str, book: Gradebook, options: Options) -> None:
    standing = book.standing()
    if not standing.is_complete and not options.incomplete:
        raise Incomplete(
            f"{book.path} is incomplete. {' '.join(incomplete(standing))} Run the same `grader "
            "grade` again to mark the rest, or give --incomplete to export what there is"
        )
    kind = FORMS[form]
    if options.learner and not kind.of_one:
        of_one = [name for name, each in FORMS.items() if each.of_one]
        raise Complaint(
            f"{form} holds the whole class, and --learner would not narrow it: leave it out, or "
            f"take a form that can hold one learner: {', '.join(of_one)}"
        )
    if options.scale.changes and not kind.is_scaled:
        scaled = [name for name, each in FORMS.items() if each.is_scaled]
        raise Complaint(f"{form} holds points as they are; {', '.join(scaled)} have a scale")
    if kind.is_scaled and options.scale.late is not None and not options.incomplete:
        everybody = {*book.learners(), *standing.absent}
        if told := options.scale.late.unmatched(book.learners(), everybody):
            raise Incomplete(
                f"{' '.join(told)} Mend the file of times (learner,time) and grade again, or give "
                "it to `grader due` as --times; --incomplete takes them for in time"
            )


def one_submission(book: Gradebook, options: Options) -> SubmissionMarks:
    """The learner of `options`, or the only one there is; raises Complaint."""
    if options.learner:
        found = book.submission(options.learner)
        if found is None:
            name = name_of(options.learner)
            if options.learner in book.standing().absent:
                raise Complaint(
                    f"the latest run did not find {name}; --include-absent exports older marks"
                )
            raise Complaint(f"no learner is called {name} in {book.path}")
        return found
    first = [submission for submission, _ in zip(book.submissions(), range(2), strict=False)]
    if len(first) != 1:
        many = "several" if first else "no"
        raise Complaint(f"{book.path} holds {many} submissions, this form one: give --learner")
    return first[0]
