"""Writes the report of a class as static pages that need no network; marks nothing."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ..candidate.records import Doubt, SubmissionMarks
from ..course.syllabus import syllabus
from ..gradebook.store import REPORT, Gradebook
from . import feedback
from .page import escaped, number, page, row
from .standing import alike, incomplete
from .statistics import ClassCount
from .text import count, points

_ROWS = 500  # learners on one page
_TITLE = "Marks of the class"
_UNFINISHED = (
    "<p><strong>A grading run has begun and has not ended (it was interrupted, or still goes on): "
    "what is shown here may be missing or old.</strong></p>"
)


def write_report(folder: Path) -> ClassCount:
    """Write `folder/report/index.html` and a page for each learner; what the class came to.

    One learner is in memory at a time, and each page replaces its forerunner at once. Learners whom
    the latest run did not find have a page and count nowhere.
    """
    target = folder / REPORT
    (target / "learners").mkdir(parents=True, exist_ok=True)
    counted = ClassCount()
    rows: list[str] = []
    pages: list[str] = []
    absent: list[str] = []
    with Gradebook.open(folder, include_absent=True) as book:
        for submission in book.submissions():
            name = page_name(submission.learner)
            _replace(target / "learners" / name, feedback.learner_page(submission))
            if Doubt.ABSENT in submission.doubts:
                absent.append(_link(submission, name))
                continue
            counted.add(submission)
            rows.append(_learner_row(submission, name))
            if len(rows) == _ROWS:
                pages.append(_write_rows(target, len(pages) + 1, rows))
    with Gradebook.open(folder) as book:
        facts = _facts(book, counted)
        warnings = [*incomplete(book.standing()), *alike(book.standing())]
    if pages and rows:
        pages.append(_write_rows(target, len(pages) + 1, rows))
    _replace(target / "index.html", _index(warnings, facts, counted, pages, rows, absent))
    return counted


def mark_unfinished(folder: Path) -> None:
    """Say on the class's page that a run has begun; `write_report` writes it anew at the end."""
    target = folder / REPORT
    target.mkdir(parents=True, exist_ok=True)
    index = target / "index.html"
    empty = page(_TITLE, [f"<h1>{_TITLE}</h1>"])
    old = index.read_text(encoding="utf-8") if index.exists() else empty
    if _UNFINISHED not in old:
        _replace(index, old.replace("<main>", f"<main>\n{_UNFINISHED}", 1))


def page_name(learner: str) -> str:
    """A file name for a learner's page: safe on every system, and no two learners share one."""
    readable = re.sub("[^a-z0-9]+", "-", learner.lower())[:40].strip("-")
    mark = hashlib.sha256(learner.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return f"{readable}-{mark}.html" if readable else f"{mark}.html"


def _facts(book: Gradebook, counted: ClassCount) -> list[str]:
    """What a reader must know about the whole class."""
    told = [f"{count(counted.submissions, 'submission')}, seed {book.fact('seed')}."]
    if counted.submissions:
        mean = counted.points / counted.submissions
        told.append(f"On average {mean:.1f} points.")
    unisolated = book.unisolated()
    if unisolated:
        told.append(
            f"{count(unisolated, 'submission')} marked WITHOUT ISOLATION (--trust-submissions): "
            "what ran there could have changed these marks."
        )
    if counted.with_problems:
        told.append(
            f"Of {count(counted.with_problems, 'submission')} something could not be read; "
            "the learners' pages say what."
        )
    return told


def _index(
    warnings: list[str],
    facts: list[str],
    counted: ClassCount,
    pages: list[str],
    rows: list[str],
    absent: list[str],
) -> str:
    body = [f"<h1>{_TITLE}</h1>"]
    body += [f"<p><strong>{escaped(warning)}</strong></p>" for warning in warnings]
    body += [f"<p>{escaped(fact)}</p>" for fact in facts]
    body += ["<h2>Exercises</h2>", *_exercises(counted)]
    body += ["<h2>Misconceptions</h2>", *_misconceptions(counted)]
    body.append("<h2>Learners</h2>")
    if pages:
        links = (f'<li><a href="{name}">Page {n}</a></li>' for n, name in enumerate(pages, 1))
        body += ["<ul>", *links, "</ul>"]
    else:
        body.append(_learners(rows))
    if absent:
        body.append("<h2>Not found by the latest run</h2>")
        body.append("<p>Their marks are kept and count nowhere on this page.</p>")
        body += ["<ul>", *(f"<li>{link}</li>" for link in absent), "</ul>"]
    return page(_TITLE, body)


def _exercises(counted: ClassCount) -> Iterator[str]:
    begun = set(counted.chapters_begun)
    if not begun:
        yield "<p>Nobody has begun an exercise.</p>"
        return
    yield "<table><caption>How often each verdict was given, in chapters that were begun</caption>"
    verdicts = [v for v in counted.verdicts if counted.verdicts[v]]
    verdicts.sort(key=list(type(verdicts[0])).index)
    yield row("exercise", *map(str, verdicts), "carried", head=True)
    for name, found in counted.exercises.items():
        if found.chapter in begun:
            cells = [number(found.verdicts[verdict]) for verdict in verdicts]
            yield row(escaped(name), *cells, number(found.carried))
    yield "</table>"
    yield (
        "<p>Carried: right, but it calls an earlier exercise that is wrong; the mistake costs "
        "its points once, there.</p>"
    )


def _misconceptions(counted: ClassCount) -> Iterator[str]:
    found = [
        (times, name, known)
        for name, exercise in counted.exercises.items()
        for known, times in exercise.misconceptions.items()
    ]
    if not found:
        yield "<p>No known misconception was found.</p>"
        return
    yield "<table><caption>The most common first</caption>"
    yield row("exercise", "learners", "the code behaves like this", head=True)
    for times, name, known in sorted(found, key=lambda each: (-each[0], each[1], each[2])):
        yield row(escaped(name), number(times), escaped(counted.explanations[known]))
    yield "</table>"


def _learners(rows: list[str]) -> str:
    chapters = (escaped(chapter.partition("_")[0]) for chapter in syllabus().chapters)
    head = row("learner", "points", *chapters, "not read", head=True)
    caption = "<caption>Points, in all and by chapter</caption>"
    return "\n".join(["<table>", caption, head, *rows, "</table>"])


def _learner_row(submission: SubmissionMarks, name: str) -> str:
    by_chapter = dict.fromkeys(syllabus().chapters, 0.0)
    for mark in submission.marks:
        by_chapter[mark.chapter] = by_chapter.get(mark.chapter, 0.0) + mark.points
    total = f"{points(submission.points)} of {points(submission.max_points)}"
    cells = [number(won) for won in by_chapter.values()]
    return row(_link(submission, name), total, *cells, number(len(submission.problems)))


def _link(submission: SubmissionMarks, name: str) -> str:
    return f'<a href="learners/{name}">{escaped(feedback.shown_name(submission))}</a>'


def _write_rows(target: Path, place: int, rows: list[str]) -> str:
    """Write one page of learners, forget them, give the page's name."""
    name = f"learners-{place}.html"
    body = [f"<h1>Learners, page {place}</h1>", '<p><a href="index.html">The class</a></p>']
    _replace(target / name, page(f"Learners, page {place}", [*body, _learners(rows)]))
    rows.clear()
    return name


def _replace(path: Path, text: str) -> None:
    """Whoever reads meanwhile sees the old page or the new one, never half of one."""
    temporary = path.with_suffix(".new")
    temporary.write_text(text, encoding="utf-8", errors="backslashreplace")
    os.replace(temporary, path)
