"""The forms in which marks leave; each reads the gradebook and nothing else."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from ...gradebook.store import Gradebook
from ..standing import absent, alike, incomplete
from .totals import Scale


class ExportError(Exception):
    """The marks cannot be written in this form; the message says what to give."""


class Incomplete(ExportError):
    """Marks are missing or may be old, and nobody has asked for them as they are."""


@dataclass(frozen=True)
class Options:
    """What some forms need beside the marks."""

    learner: str = ""  # for forms that hold one learner
    roster: Path | None = None  # the platform's own list of learners
    title: str = "Transformer course"  # of the assignment
    context: Path | None = None  # facts that only the platform knows, as JSON
    incomplete: bool = False  # marks are written though some are missing or may be old
    chapters: tuple[str, ...] = ()  # these alone count; all where none is named
    scale: Scale = field(default_factory=Scale)


# Form → the module that writes it: imported when asked for.
FORMS = {
    "json": "marks_json",
    "csv": "table_csv",
    "canvas": "canvas",
    "moodle": "moodle",
    "gradescope": "gradescope",
    "classroom50": "classroom50",
    "junit": "junit",
    "page": "page",
}
_SCALED = ("csv", "canvas", "moodle")  # forms with one number for each learner


def remarks(book: Gradebook) -> list[str]:
    """What whoever exports these marks must know."""
    standing = book.standing()
    left_out = [] if book.include_absent else absent(standing)
    return [*incomplete(standing), *left_out, *alike(standing)]


def export(form: str, book: Gradebook, out: TextIO, options: Options) -> None:
    """Write the gradebook in one form; raises ExportError, and Incomplete before anything."""
    standing = book.standing()
    if not standing.is_complete and not options.incomplete:
        raise Incomplete(
            f"{book.path} is incomplete. {' '.join(incomplete(standing))} Run the same `grader "
            "grade` again to mark the rest, or give --incomplete to export what there is"
        )
    if options.scale.changes and form not in _SCALED:
        raise ExportError(f"{form} holds points as they are; {', '.join(_SCALED)} have a scale")
    book.chapters = options.chapters
    module = importlib.import_module(f".{FORMS[form]}", __name__)
    write: Callable[..., None] = module.write
    if form == "json":
        write(book, out)
    else:
        write(book, out, options)
