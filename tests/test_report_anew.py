"""A report written again is what one from nothing would be, and only what changed is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.candidate.records import Note
from grader.curriculum.syllabus import syllabus
from grader.gradebook.overrides import Override
from grader.gradebook.store import Gradebook
from grader.report.class_report import learner_pages, mark_unfinished, page_name, write_report
from tests.marked import gradebook, hostile_class, mark, recorded
from tests.pages import Page


def test_the_page_of_a_run_that_has_not_ended_says_so(tmp_path: Path) -> None:
    index = tmp_path / "report" / "index.html"
    for known in (recorded("ann", [mark()]), recorded("bob", [])):
        mark_unfinished(tmp_path)
        mark_unfinished(tmp_path)
        assert Page(index.read_text()).text.count("has not ended") == 1
        gradebook(tmp_path, known)
        write_report(tmp_path)
        assert "has not ended" not in Page(index.read_text()).text
    with Gradebook.create(tmp_path) as book:
        book.begin("class", ["ann", "bob"], others="absent")
    write_report(tmp_path)
    assert "has not ended" in Page(index.read_text()).text


def test_the_same_work_has_one_page_that_names_everybody(tmp_path: Path) -> None:
    folder = gradebook(tmp_path, *(recorded(f"{n:04}", [mark()]) for n in range(50)))
    write_report(folder)
    (page,) = (tmp_path / "report" / "learners").iterdir()
    assert "50 learners, one work" in Page(page.read_text()).text
    index = Page((tmp_path / "report" / "index.html").read_text())
    assert "0049" in index.text and "100 points lost" in index.text
    exercise = Page((tmp_path / "report" / "exercises" / "softmax.html").read_text())
    assert "answer 1 · 50 learners" in exercise.text and "and 30 more" in exercise.text
    gradebook(tmp_path, recorded("0000", [mark(said="else")]))
    write_report(folder)
    names = {path.name for path in (tmp_path / "report" / "learners").iterdir()}
    assert names == {page_name("0000"), page.name} or len(names) == 2


def test_several_processes_write_the_same_pages(tmp_path: Path) -> None:
    folder = hostile_class(tmp_path)
    write_report(folder)
    written = {path: path.read_bytes() for path in (folder / "report/learners").iterdir()}
    for path in written:
        path.unlink()
    with Gradebook.open(folder) as book:
        shared = {page_name(learner): [learner] for learner in book.learners()}
    with learner_pages(folder, folder / "report", shared, few=1):
        pass
    assert {path: path.read_bytes() for path in written} == written


NAMES = ("ann", "bob", "cem", "dan")
SAID = Note(None, "bob", "softmax", "comment", "Dr B", "", "Why this axis?")
# What happens, and the pages of learners and exercises that it changes.
HAPPENS: dict[str, tuple[Callable[[Gradebook], object], set[str]]] = {
    "nothing": (lambda book: None, set()),
    "a comment": (lambda book: act(book, "comment", [SAID]), {"bob", "softmax"}),
    "points": (
        lambda book: act(book, "set_points", [Override("ann", "gelu", 1.0, "a slip", "Dr B")]),
        {"ann", "gelu"},
    ),
    "a request": (lambda book: act(book, "ask", "cem", "gelu", "again?"), {"cem", "gelu"}),
    "another mark": (
        lambda book: book.record(recorded("dan", [mark("softmax")]), syllabus().names),
        {"dan", "gelu"},
    ),
    "a deadline": (lambda book: book.set_due("2026-01-31T12:00:00Z", "10% a day", {}), {*NAMES}),
    "one is absent": (lambda book: left_out(book), {"dan", "gelu", "softmax"}),
}


def act(book: Gradebook, what: str, *given: object) -> None:
    with book.by_people() as people:
        getattr(people, what)(*given)


def left_out(book: Gradebook) -> None:
    book.begin("class", NAMES[:3], others="absent")
    book.finish("class", is_class=True)


@pytest.mark.parametrize("key", ["", "key"])
@pytest.mark.parametrize("what", HAPPENS)
def test_what_has_changed_is_written_and_nothing_else(tmp_path: Path, what: str, key: str) -> None:
    """After whatever happens a report is what one from nothing would be."""
    happens, touched = HAPPENS[what]
    rows = (recorded(name, [mark("softmax"), mark("gelu", said=name)]) for name in NAMES)
    folder, made, fresh = gradebook(tmp_path, *rows), tmp_path / "made", tmp_path / "fresh"
    write_report(folder, made, key)
    old = "<!-- as it was -->"
    for path in made.rglob("*.html"):
        path.write_text(path.read_text() + old)
    with Gradebook.create(folder) as book:
        happens(book)
    write_report(folder, made, key)
    write_report(folder, fresh, key)
    now = {p.relative_to(made): p.read_text() for p in made.rglob("*.html")}
    assert {path: text.removesuffix(old) for path, text in now.items()} == {
        p.relative_to(fresh): p.read_text() for p in fresh.rglob("*.html")
    }
    own = {Path(page_name(name)).stem: name for name in NAMES}
    anew = {own.get(path.stem, path.stem) for path, text in now.items() if not text.endswith(old)}
    assert anew == (touched | {"index", "slide"} if touched else set())
