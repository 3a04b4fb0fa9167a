"""Reports hold what a reader needs, and nothing of a submission acts in them."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as some
from rich.console import Console

from grader.candidate.message import Place, say
from grader.candidate.records import SHORTCUT_TITLE, CheckOutcome, CheckResult, Location, Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.report.class_report import page_name, write_report
from grader.report.exports import Options, export
from grader.report.statistics import ClassCount, ExerciseCount
from grader.report.terminal import show_class, show_submission
from grader.report.text import name_of, one_line, visible
from tests.marked import HOSTILE, gradebook, hostile_class, mark, recorded
from tests.pages import ACTIVE, ALLOWED, Page

LINK = r"((\.\./)?((learners|exercises)/)?[A-Za-z0-9_-]+\.html)?(#[A-Za-z0-9_-]+)?"


@pytest.fixture
def pages(tmp_path: Path) -> dict[str, Page]:
    """Every page of a class in which every text is hostile."""
    write_report(hostile_class(tmp_path))
    found = (tmp_path / "report").rglob("*.html")
    return {path.name: Page(path.read_text(encoding="utf-8")) for path in found}


def test_no_tag_or_handler_of_a_submission_gets_into_a_page(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert page.tags <= ALLOWED
        assert not {name for name, _ in page.attributes if name.startswith("on")}
        assert not ACTIVE.search(page.text)
        for name, value in page.attributes:
            if name == "href":
                assert value and re.fullmatch(LINK, value)


def test_every_learner_has_a_page_of_their_own(pages: dict[str, Page], tmp_path: Path) -> None:
    exercises = {"softmax.html", "attention_scores.html"}
    on_disk = {name.lower() for name in pages} - exercises - {"index.html", "slide.html"}
    assert len(on_disk) == len(HOSTILE) == len(pages) - 4  # on a disk that ignores case too
    assert all(
        f"learners/{name}" in {v for _, v in pages["index.html"].attributes} for name in on_disk
    )


def test_a_page_says_everything_in_words(tmp_path: Path) -> None:
    marks = [
        mark(said="here"),
        mark("attention_scores", Verdict.PASSED, 2.0, carried=("softmax",)),
        mark("gelu", Verdict.PASSED, 1.0),
        mark("encode", Verdict.PARTIAL, 1.0),
    ]
    write_report(gradebook(tmp_path, recorded("ann", marks, ["cell 3 is no text"])))
    page = Page((tmp_path / "report" / "learners" / page_name("ann")).read_text())
    for said in (
        *("✗ failed softmax", "0 of 2 points", "✓ passed attention_scores", "2 of 2 points"),
        *(
            "does not hold yet: Values: here",
            "passed: Rows sum to 1.",
            "blocked: Masks",
        ),
        *("It behaves like this: It sums over here.", "Think about: What does here do?"),
        *("[0, 1]", "cell 3 is no text", "With a right softmax this one passes", "Missing: "),
        *("1 more check fails in the same way. Fix this first, then", "Gradients"),
        *("1 check could not be tried yet", "1 check passed"),
        *(
            "✓ passed gelu, 1 point",
            "encode (partial), softmax (failed).",
        ),
    ):
        assert said in page.text, said
    assert ("lang", "en") in page.attributes
    assert {"caption", "h1", "h2"} <= page.tags
    assert ("scope", "col") in page.attributes
    assert "script" not in page.tags and "link" not in page.tags  # nothing to fetch or run


@pytest.mark.parametrize(
    ("exercise", "question"),
    [
        ("softmax", "Work one tiny input through by hand"),
        ("spot_softmax", "On which input does an implementation"),
    ],
)
def test_where_no_mistake_is_known_there_is_still_a_question(
    tmp_path: Path, exercise: str, question: str
) -> None:
    nameless = replace(mark(exercise, said="here"), diagnosis=(), message="")
    write_report(gradebook(tmp_path, recorded("ann", [nameless])))
    page = Page((tmp_path / "report" / "learners" / page_name("ann")).read_text())
    assert f"Think about: {question}" in page.text
    assert "It behaves like this" not in page.text


def test_the_class_page_tells_what_is_common_and_what_was_not_isolated(tmp_path: Path) -> None:
    wrong, right = mark(said="rows"), mark(verdict=Verdict.PASSED, points=2.0)
    learners = [recorded(f"l{n}", [wrong], isolated=n > 0) for n in range(3)]
    write_report(gradebook(tmp_path, *learners, recorded("r", [right])))
    text = Page((tmp_path / "report" / "index.html").read_text()).text
    assert "4 submissions" in text
    assert "0 median, of 2 points in what was begun" in text
    assert "6 points lost" in text
    assert "It sums over rows." in text
    assert "1 submission marked WITHOUT ISOLATION" in text


def test_checks_count_everybody_of_whom_one_was_tried(tmp_path: Path) -> None:
    right = mark(verdict=Verdict.PASSED, points=2.0)
    caught = replace(
        right, checks=(CheckResult(SHORTCUT_TITLE, CheckOutcome.FAILED, "x"), *right.checks)
    )
    each = {"ready": replace(caught, verdict=Verdict.FAILED), "a": right, "b": right}
    write_report(gradebook(tmp_path, *(recorded(name, [its]) for name, its in each.items())))
    text = Page((tmp_path / "report" / "exercises" / "softmax.html").read_text()).text
    assert f"{SHORTCUT_TITLE}2 of 3 pass" in text


def test_who_was_not_found_is_named_and_not_counted(tmp_path: Path) -> None:
    gradebook(tmp_path, *(recorded(f"l{n}", [mark(verdict=Verdict.PASSED)]) for n in range(3)))
    with Gradebook.create(tmp_path) as book:
        book.begin("class", ["l1", "L1"], others="absent")
        book.record(recorded("L1", []), syllabus().names)
        book.finish("class", is_class=True)
    write_report(tmp_path)
    page = Page((tmp_path / "report" / "index.html").read_text())
    assert "2 submissions" in page.text
    assert "L1 and l1" in page.text  # a platform may take them for one
    last = page.text.partition("Not found by the latest run")[2]
    assert "l0" in last and "l2" in last and "l1" not in last
    found = [Page(path.read_text()) for path in (tmp_path / "report" / "learners").iterdir()]
    (learner,) = (page for page in found if "2 learners, one work" in page.text)  # l0 and l2
    assert "The latest grading run did not find this submission" in learner.text


def test_code_stands_beside_the_mark_with_the_line_that_is_spoken_of(tmp_path: Path) -> None:
    place = Place("a.ipynb, cell 3", 5)
    failed = replace(mark(said="x"), message=say("It raised an error ({}).", place))
    source = (("a.ipynb, cell 3", 4, "def softmax(x, dim):\n    return x < 1 & 2"),)
    known = recorded("ann", [failed])
    entries = tuple(replace(e, source=source if e.mark is failed else ()) for e in known.entries)
    write_report(gradebook(tmp_path, replace(known, entries=entries)))
    for path in ("learners/" + page_name("ann"), "exercises/softmax.html"):
        html = (tmp_path / "report" / path).read_text()
        assert "<mark>    return x &lt; 1 &amp; 2</mark>" in html
        assert '<span class="n">4</span>def softmax(x, dim):' in html
    alone = io.StringIO()
    with Gradebook.open(tmp_path) as book:
        export("page", book, alone, Options(learner="ann"))
    page = Page(alone.getvalue())
    assert "return x < 1" in page.text
    assert {value for name, value in page.attributes if name == "href"} <= {"#softmax"}


def test_the_line_at_which_code_departs_stands_out(tmp_path: Path) -> None:
    told = "Line 5: return x"
    where = Location("departs", "a.ipynb, cell 3", 5, "return x", told, sources=(4,))
    failed = replace(mark(), location=where)
    source = (("a.ipynb, cell 3", 3, "import torch\ndef softmax(x, dim):\n    return x"),)
    entries = tuple(replace(e, source=source) for e in recorded("ann", [failed]).entries)
    write_report(gradebook(tmp_path, replace(recorded("ann", [failed]), entries=entries)))
    html = (tmp_path / "report/learners" / page_name("ann")).read_text()
    assert "<mark>def softmax(x, dim):</mark>" in html and "<mark>import" not in html
    assert "<mark>    return x</mark>" in html and 'Line 5:<code class="own">return x' in html


def test_only_our_own_style_and_script_may_act(tmp_path: Path) -> None:
    write_report(hostile_class(tmp_path))
    for path in (tmp_path / "report").rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        (policy,) = re.findall('Security-Policy" content="([^"]*)"', html)
        assert policy.startswith("default-src &#39;none&#39;") and "unsafe" not in policy
        for tag in ("style", "script"):
            for text in re.findall(f"<{tag}>(.*?)</{tag}>", html, re.S):
                digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                assert digest.replace("+", "&#43;") in policy or digest in policy
        assert ("<script>" in html) == (path.name == "index.html")


@given(some.lists(some.integers(0, 100), max_size=30))
def test_a_spread_counts_everybody_once(won: list[int]) -> None:
    exercises = {"softmax": ExerciseCount("04_softmax", 100.0, by_hand=1)}
    spread = ClassCount(points=[*map(float, won)], exercises=exercises).spread()
    assert sum(spread.bins) == len(won)
    assert spread.lower <= spread.median <= spread.upper
    if won:
        assert spread.median == median(won)


def test_many_names_are_folded(tmp_path: Path) -> None:
    write_report(gradebook(tmp_path, recorded("ann", [mark("gelu", Verdict.PASSED, 1.0)])))
    html = (tmp_path / "report" / "learners" / page_name("ann")).read_text()
    with Gradebook.open(tmp_path) as book:
        (one,) = book.submissions()
    missing = [each for each in one.marks if each.verdict is Verdict.MISSING]
    assert f"<details><summary>Missing: {len(missing)}</summary>" in html
    assert all(each.name in Page(html).text for each in missing)
    out = Console(file=io.StringIO(), width=1000, color_system=None)
    show_submission(out, one)
    assert f" and {len(missing) - 6} more." in out.file.getvalue()  # type: ignore[attr-defined]


def test_nothing_of_a_submission_acts_in_a_terminal(tmp_path: Path) -> None:
    out = Console(file=io.StringIO(), width=100, color_system=None)
    with Gradebook.open(hostile_class(tmp_path)) as book:
        for submission in book.submissions():
            show_submission(out, submission)
        counted = ClassCount()
        for submission in book.submissions():
            counted.add(submission)
        show_class(out, counted)
    assert isinstance(out.file, io.StringIO)
    said = out.file.getvalue()
    assert not ACTIVE.search(said)
    assert "[bold]markup[/bold]" in said  # as it was written, and not in bold


def test_text_is_made_visible() -> None:
    assert visible("a\x1b[1m\u202eb\ud800\n\tc") == "a\\x1b[1m\\u202eb\\ud800\n\tc"
    assert visible("नमस्\u200dते 👩\u200d💻 é") == "नमस्\u200dते 👩\u200d💻 é"
    assert name_of("two\nlines") == "two\\nlines"
    assert len(name_of("x" * 300)) == 80
    assert one_line("a\n\n b" + "x" * 500).startswith("a bxxx")
