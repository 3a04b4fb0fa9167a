"""Writes the report of a class as pages that need no network and no script; marks nothing."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ..candidate.records import Doubt
from ..gradebook.store import REPORT, Gradebook
from . import pages
from .classroom import Classroom, Learner, facts_of, reasons
from .learner_pages import FOLDER, learner_pages
from .standing import alike, incomplete
from .statistics import ClassCount
from .text import count, name_of
from .whole_files import replace_file

_TITLE = "Marks of the class"
_UNFINISHED = (
    '<p class="warning"><strong>A grading run has begun and has not ended (it was interrupted, or '
    "still goes on): what is shown here may be missing or old.</strong></p>"
)


def write_report(folder: Path, target: Path | None = None) -> ClassCount:
    """Write `folder/report/index.html` and the pages behind it, or the same into `target`; what the
    class came to.

    Learners who handed in the same to the letter, and got the same marks, share a page. Each page
    replaces its forerunner at once, and what is no page any more is removed at the end. Learners
    whom the latest run did not find have a page and count nowhere.
    """
    target = target or folder / REPORT
    with Gradebook.open(folder, include_absent=True) as book:
        page_of = _pages(Classroom(book))
    shared: dict[str, list[str]] = {}
    for name, page in page_of.items():
        shared.setdefault(page, []).append(name)
    with learner_pages(folder, target, shared):
        counted = _write_others(folder, target, page_of, shared)
    _remove_all_but(target / FOLDER, set(shared))
    _remove_all_but(
        target / "exercises", {f"{n}.html" for n, e in counted.exercises.items() if e.counts}
    )
    return counted


def _write_others(
    folder: Path, target: Path, page_of: Mapping[str, str], shared: Mapping[str, list[str]]
) -> ClassCount:
    """Count the class, and write the pages of exercises and of the class."""
    with Gradebook.open(folder, include_absent=True) as book:
        counted, rows = _count(Classroom(book), page_of, shared)
    with Gradebook.open(folder) as book:
        present = Classroom(book)
        mistakes: list[pages.MistakeLine] = []
        for name, exercise in counted.exercises.items():
            if exercise.counts:
                facts = facts_of(present, name)
                text = pages.exercise_page(
                    facts, exercise, counted.submissions, page_of, present.source
                )
                replace_file(target / "exercises" / f"{name}.html", text)
                mistakes += pages.mistake_lines(facts)
        warnings = [*incomplete(book.standing()), *alike(book.standing())]
        facts_said = _facts(book, counted)
    index = pages.class_page(_TITLE, warnings, facts_said, counted, mistakes, rows)
    replace_file(target / "index.html", index)
    return counted


def mark_unfinished(folder: Path) -> None:
    """Say on the class's page that a run has begun; `write_report` writes it anew at the end."""
    index = folder / REPORT / "index.html"
    old = index.read_text(encoding="utf-8") if index.exists() else pages.empty_page(_TITLE)
    if _UNFINISHED not in old:
        replace_file(index, old.replace("</h1>", f"</h1>\n{_UNFINISHED}", 1))


def page_name(learner: str) -> str:
    """A file name for a learner's page: safe on every system, and no two learners share one."""
    readable = re.sub("[^a-z0-9]+", "-", learner.lower())[:40].strip("-")
    mark = hashlib.sha256(learner.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return f"{readable}-{mark}.html" if readable else f"{mark}.html"


def _pages(room: Classroom) -> dict[str, str]:
    """The file of each learner's page; those whose pages would say the same have one."""
    by_work: dict[str, list[str]] = {}
    for learner in room.learners():
        work = hashlib.sha256(repr(learner.work).encode()).hexdigest()[:12]
        by_work.setdefault(work, []).append(learner.name)
    return {
        name: page_name(name) if len(names) == 1 else f"work-{work}.html"
        for work, names in by_work.items()
        for name in names
    }


def _count(
    room: Classroom, page_of: Mapping[str, str], shared: Mapping[str, list[str]]
) -> tuple[ClassCount, list[pages.Row]]:
    """What the class came to, and a row of its page for each learner."""
    counted, rows = ClassCount(), []
    row_of: dict[str, pages.Row] = {}
    for learner in room.learners():
        page = page_of[learner.name]
        if page not in row_of:
            submission = room.marks(learner)
            looks = _looks(learner, [reasons(mark) for mark in submission.marks])
            row_of[page] = pages.Row.of(submission, page, looks)
            if Doubt.ABSENT not in learner.doubts:
                counted.add(submission, len(shared[page]))
        rows.append(replace(row_of[page], name=name_of(learner.name)))
    return counted, rows


def _looks(learner: Learner, found: Sequence[str]) -> tuple[str, ...]:
    """Why a person should look at what this learner handed in."""
    more = []
    if learner.problems:
        more.append("partly unread")
    if Doubt.FAILED in learner.doubts:
        more.append("not graded")
    return tuple(dict.fromkeys([*more, *filter(None, found)]))


def _facts(book: Gradebook, counted: ClassCount) -> list[str]:
    """What a reader must know about the whole class."""
    told = [f"{count(counted.submissions, 'submission')}, seed {book.fact('seed')}."]
    unisolated = book.unisolated()
    if unisolated:
        told.append(
            f"{count(unisolated, 'submission')} marked WITHOUT ISOLATION (--trust-submissions): "
            "what ran there could have changed these marks."
        )
    by_hand = sum(exercise.by_hand for exercise in counted.exercises.values())
    if by_hand:
        told.append(
            f"A person set the points of {count(by_hand, 'answer')} by hand; the pages of these "
            "learners say why."
        )
    if counted.with_problems:
        told.append(
            f"Of {count(counted.with_problems, 'submission')} something could not be read; "
            "the learners' pages say what."
        )
    return told


def _remove_all_but(folder: Path, names: set[str]) -> None:
    """Pages of learners and exercises that are there no more."""
    for path in folder.glob("*.html"):
        if path.name not in names:
            with suppress(OSError):
                path.unlink()
