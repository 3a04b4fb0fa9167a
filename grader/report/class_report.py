"""Writes the report of a class as pages that need no network and no script; marks nothing."""

import multiprocessing
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from ..candidate.records import Doubt, SubmissionMarks
from ..gradebook.lateness import shown
from ..gradebook.notes import open_requests
from ..gradebook.store import REPORT, Gradebook
from . import pages, wording
from .classroom import Classroom, ExerciseFacts, Mistake, facts_of
from .effort import efforts, weeks
from .lines import TimeLine, Who, retaught
from .looks import OTHERS_ALONE, looks
from .page_memory import Written
from .shown_pages import CLASS, EXERCISES, LEARNERS, SLIDE, Shown, page_of_exercise, what_pages_show
from .slide import slide_page
from .standing import alike, held_to, hidden, incomplete, waiting
from .statistics import ClassCount
from .text import count, name_of, page_name
from .whole_files import replace_file

_FEW = 400  # pages that one process has written before another would have begun
_MOST = 8  # processes
Shared = Mapping[str, list[str]]  # the learners of each page
_UNFINISHED = (
    '<p class="warning"><strong>A grading run has begun and has not ended (it was interrupted, or '
    "still goes on): what is shown here may be missing or old.</strong></p>"
)


def write_report(folder: Path, target: Path | None = None, key: str = "") -> ClassCount:
    """Write `folder/report/index.html` and the pages behind it, or the same into `target`; what the
    class came to. With a `key` they have forms by which instructors step in, who send it along.

    Learners who handed in the same to the letter, and got the same marks, share a page. Each page
    replaces its forerunner at once, and what is no page any more is removed at the end. Learners
    whom the latest run did not find have a page and count nowhere.
    """
    target = target or folder / REPORT
    written = Written(target)
    with Gradebook.open(folder, include_absent=True) as everybody:
        room = Classroom(everybody)
        made = what_pages_show(room, key)
        stale = written.stale(made.pages)
        written.forget(stale)
        shared = {p: names for p, names in made.shared.items() if f"{LEARNERS}/{p}" in stale}
        with learner_pages(folder, target, shared, key=key):
            counted, rows = _count(room, made)
            counts = {name for name, each in counted.exercises.items() if each.counts}
            exercises = {page_of_exercise(name): made.exercises[name] for name in counts}
            if old := {*written.stale(exercises), *({*stale} & {CLASS, SLIDE})}:
                written.forget(old)
                with Gradebook.open(folder) as book:
                    _write_others(Classroom(book), target, counted, made, rows, key, old)
    written.note({**made.pages, **exercises})
    _remove_all_but(target / LEARNERS, set(made.shared))
    _remove_all_but(target / EXERCISES, {f"{name}.html" for name in counts})
    return counted


def _write_others(
    room: Classroom,
    target: Path,
    counted: ClassCount,
    made: Shown,
    rows: Sequence[pages.Row],
    key: str,
    old: Collection[str],
) -> None:
    """Write the `old` ones of the pages of exercises, and those of the class."""
    mistakes: list[pages.MistakeLine] = []
    shown: list[tuple[float, Mistake, int | None]] = []
    tried = [one for one in room.book.tries() if room.counts(one.exercise)]
    learners = set(room.book.learners())
    for name, exercise in counted.exercises.items():
        if exercise.counts:
            facts = facts_of(room, name)
            if page_of_exercise(name) in old:
                page = pages.exercise_page(facts, counted, made.page_of, room, key)
                replace_file(target / page_of_exercise(name), page)
            for found in facts.mistakes.values():  # without who made them
                number, lost = len(found.learners), round(found.lost, 2)
                mistakes.append(pages.MistakeLine(name, found.diagnosis, number, lost))
                shown.append((lost, found, _likeliest(facts, found)))
    standing = room.book.standing()
    warnings = [*incomplete(standing), *hidden(standing), *waiting(standing), *alike(standing)]
    told = _facts(room.book, counted, sum(room.counts(name) for _, name in standing.waiting))
    order = [explanation for _, explanation, _ in retaught(mistakes)]
    replace_file(target / SLIDE, slide_page(shown, room.source, order))
    index = pages.class_page(
        *(warnings, told, counted, mistakes, rows),
        nobodys=standing.nobodys,
        times=_times(room.book, made.page_of),
        requests=_requests(room.book, made.page_of),
        efforts=efforts(tried, learners),
        weeks=weeks(tried, learners),
    )
    replace_file(target / CLASS, index)


@contextmanager
def learner_pages(
    folder: Path, target: Path, shared: Shared, few: int = _FEW, key: str = ""
) -> Iterator[None]:
    """Write the learners' pages while the caller does something else; they are there at the end."""
    processes = min(os.cpu_count() or 1, _MOST)
    if len(shared) < few or processes == 1:
        _write_pages(folder, target, shared, key)
        yield
        return
    names = [*shared]
    parts = [{name: shared[name] for name in names[n::processes]} for n in range(processes)]
    # Not forked: the caller may have threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        written = [pool.submit(_write_pages, folder, target, part, key) for part in parts]
        yield
        for each in written:
            each.result()


def write_pages_of(
    folder: Path, target: Path, learners: Sequence[str], exercise: str, key: str
) -> None:
    """Write the pages anew, of a report with a key, that show one exercise of these learners."""
    own = {page_name(name): [name] for name in learners}
    Written(target).forget([*(f"{LEARNERS}/{page}" for page in own), page_of_exercise(exercise)])
    _write_pages(folder, target, own, key)
    with Gradebook.open(folder) as book:
        room, counted = Classroom(book), ClassCount()
        page_of = {name: page_name(name) for name in book.learners()}
        for _, answer in room.answers_to(exercise):
            counted.add(SubmissionMarks("", (room.mark(answer.mark, answer.by_hand),)))
        page = pages.exercise_page(facts_of(room, exercise), counted, page_of, room, key)
        replace_file(target / page_of_exercise(exercise), page)


def _write_pages(folder: Path, target: Path, shared: Shared, key: str) -> None:
    page_of = {names[0]: page for page, names in shared.items()}
    with Gradebook.open(folder, include_absent=True) as book:
        room, answers = Classroom(book), pages.Answers()
        for learner in room.learners(page_of):
            page = page_of[learner.name]
            submission, sources = room.marks(learner), room.sources(learner)
            forms = pages.Forms(key, f"{LEARNERS}/{page}", room) if key else None
            together = len(set(shared[page]) - set(book.members(learner.name))) == 0
            text = pages.learner_page(
                *(submission, sources, answers, shared[page]), forms=forms, together=together
            )
            replace_file(target / LEARNERS / page, text)


def mark_unfinished(folder: Path) -> None:
    """Say on the class's page that a run has begun; `write_report` writes it anew at the end."""
    index = folder / REPORT / CLASS
    Written(index.parent).forget([CLASS])
    old = (
        index.read_text(encoding="utf-8")
        if index.exists()
        else pages.class_page([], [], ClassCount(), [], [])
    )
    if _UNFINISHED not in old:
        replace_file(index, old.replace("</h1>", f"</h1>\n{_UNFINISHED}", 1))


def _count(room: Classroom, made: Shown) -> tuple[ClassCount, list[pages.Row]]:
    """What the class came to, and a row of its page for each learner."""
    counted, rows = ClassCount(), []
    row_of: dict[str, pages.Row] = {}
    for learner in room.learners():
        page = made.page_of[learner.name]
        if page not in row_of:
            submission = room.marks(learner)
            signs = "".join(wording.SHORT_SIGNS[mark.verdict] for mark in submission.marks)
            absent = Doubt.ABSENT in learner.doubts
            why = tuple(looks(submission, learner.other_chapters))
            row_of[page] = pages.Row("", page, submission.points, signs, why, absent)
            if not absent:
                counted.add(submission, len(made.shared[page]))
        if learner.other_chapters and not row_of[page].is_absent:
            reasons = {reason for reason, _ in row_of[page].looks}
            counted.other_chapters[learner.name] = OTHERS_ALONE in reasons
        rows.append(replace(row_of[page], name=name_of(learner.name)))
    return counted, rows


def _facts(book: Gradebook, counted: ClassCount, waited: int) -> list[str]:
    """What a reader must know about the whole class; `waited`: points by hand that wait."""
    told = [f"{count(counted.submissions, 'submission')}, seed {book.fact('seed')}."]
    unisolated = book.unisolated()
    if unisolated:
        told.append(
            f"{count(unisolated, 'submission')} marked WITHOUT ISOLATION (--trust-submissions): "
            "what ran there could have changed these marks."
        )
    told += held_to(book.chapters, counted.other_chapters)
    if late := book.lateness():
        told.append(f"Due {shown(late.deadline)}; lateness costs {late.rule}.")
    by_hand = sum(exercise.by_hand for exercise in counted.exercises.values()) - waited
    if by_hand:
        told.append(
            f"A person set the points of {count(by_hand, 'answer')} by hand; the pages of these "
            "learners say why."
        )
    if counted.with_problems:
        told.append(
            f"Of {count(counted.with_problems, 'submission')} something could not be read, or does "
            "not count; the learners' pages say what."
        )
    return told


def _likeliest(facts: ExerciseFacts, mistake: Mistake) -> int | None:
    """The code of the answer that most of those gave who made a mistake, and no other beside."""
    groups = [g for g in facts.groups if mistake.diagnosis in g.mark.diagnosis and g.source]
    best = max(groups, key=lambda g: (-len(g.mark.diagnosis), len(g.learners)), default=None)
    return best.source if best else None


def _requests(book: Gradebook, page_of: Mapping[str, str]) -> list[pages.RequestLine]:
    """Who asked to look again, and waits for an answer."""
    return [
        pages.RequestLine(name_of(n.learner), page_of[n.learner], n.exercise, n.text, n.time[:10])
        for n in open_requests(book.notes())
        if n.learner in page_of
    ]


def _times(book: Gradebook, page_of: Mapping[str, str]) -> list[TimeLine]:
    """Who was late, or has more time, or of whom nobody knows: the others are in time."""
    late = book.lateness()
    if late is None:
        return []
    told = (
        name
        for name in book.learners()
        if late.begun(name) or name in late.extensions or not late.is_known(name)
    )
    together: dict[tuple[str, str], list[Who]] = {}
    for name in sorted(told, key=late.begun, reverse=True):
        those = together.setdefault((late.said(name), late.reason(name)), [])
        those.append(Who(name_of(name), page_of[name]))
    return [TimeLine(rows, *said) for said, rows in together.items()]


def _remove_all_but(folder: Path, names: set[str]) -> None:
    """Pages of learners and exercises that are there no more."""
    for path in folder.glob("*.html"):
        if path.name not in names:
            with suppress(OSError):
                path.unlink()
