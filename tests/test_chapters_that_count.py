"""A class is held to the chapters that were asked for: report, figures and exports."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from grader.cohort import Way
from grader.gradebook.store import Gradebook
from grader.report.class_report import page_name
from grader.report.standing import held_to
from tests.command import ISOLATED, grader, warm
from tests.marked import gradebook, mark, recorded
from tests.pages import Page
from tests.test_attempts import RIGHT, WRONG, written_manifest

SCORES = "def attention_scores(q, k):\n    return q @ k.mT / q.shape[-1] ** 0.5\n"
WORK = {"ann": RIGHT, "bob": SCORES + WRONG, "kim": SCORES}


@pytest.fixture(scope="module")
def book(here: Way, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A class of chapter 04, of whom two have handed in something of chapter 03."""
    folder = tmp_path_factory.mktemp("work") / "class"
    folder.mkdir()
    for name, code in WORK.items():
        (folder / f"{name}.py").write_text(code)
    out = folder.with_name("marks")
    warm(here, "grade", folder, "--out", out)
    return folder, out


def page_of(out: Path, name: str = "") -> str:
    report = out / "report"
    place = report / "learners" / page_name(name) if name else report / "index.html"
    return " ".join(Page(place.read_text(encoding="utf-8")).text.split())


@ISOLATED
def test_report_figures_and_exports_hold_to_them(book: tuple[Path, Path], here: Way) -> None:
    folder, out = book
    assert "of 4 points in what was begun" in page_of(out)
    assert (out / "report" / "exercises" / "attention_scores.html").exists()
    said = warm(here, "grade", folder, "--out", out, "--chapters", "04").stdout
    told = (
        "Chapter 04 alone counts, as `grader grade --chapters` has said. 2 learners handed in "
        "something for other chapters. Of these, nothing else is there from kim."
    )
    assert "0 submissions marked" in said and told in said and "attention_scores" not in said
    index = page_of(out)
    assert "of 2 points in what was begun" in index and told in index
    assert "other chapters alone: 1" in index and "attention_scores" not in index
    assert "2 of 9 points" in page_of(out, "ann") and "0 of 9 points" in page_of(out, "bob")
    assert not (out / "report" / "exercises" / "attention_scores.html").exists()
    held = grader("export", "csv", out)
    rows = {row["learner"]: row for row in csv.DictReader(io.StringIO(held.stdout))}
    assert [row["points"] for row in rows.values()] == ["2.0", "0.0", "0.0"]
    assert rows["kim"]["max_points"] == "9.0" and "attention_scores" not in rows["kim"]
    assert "Chapter 04 alone counts" in held.stderr
    others = grader("export", "json", out, "--chapters", "03")
    assert '"points": 2.0' in others.stdout and "alone count" not in others.stderr


@ISOLATED
def test_they_stay_until_others_are_named(book: tuple[Path, Path], here: Way) -> None:
    folder, out = book
    warm(here, "grade", folder, "--out", out, "--chapters", "04")
    assert "Chapter 04 alone counts" in warm(here, "grade", folder, "--out", out).stdout
    refused = grader("grade", folder, "--out", out, "--chapters", "77")
    assert refused.returncode == 2 and "there is no chapter 77" in refused.stderr
    said = warm(here, "grade", folder, "--out", out, "--chapters", "00-14").stdout
    assert "0 submissions marked" in said and "alone count" not in said
    assert "of 4 points in what was begun" in page_of(out)
    assert "2 of 143 points" in page_of(out, "kim")
    assert "attention_scores" in json.dumps(json.loads(grader("export", "json", out).stdout))


def test_what_moved_in_others_is_not_told(tmp_path: Path) -> None:
    before, after = (
        gradebook(tmp_path / name, recorded("ann", [mark("attention_scores", points=points)]))
        for name, points in (("a", 0.0), ("b", 1.0))
    )
    assert "Moved: points of 1 learner." in grader("diff", before, after).stdout
    with Gradebook.create(after) as opened:
        opened.hold_to(("04_softmax",))
    assert grader("diff", before, after).stdout == "No mark moved.\n"


@ISOLATED
def test_the_best_attempt_is_the_best_in_them(here: Way, tmp_path: Path) -> None:
    work, out = tmp_path / "class", tmp_path / "marks"
    work.mkdir()
    for name, code in (("a.py", SCORES + WRONG), ("b.py", RIGHT), ("c.py", SCORES)):
        (work / name).write_text(code)
    rows = [(f"{name}.py", "ada", f"2026-02-0{day}T12:00:00Z") for day, name in enumerate("abc", 1)]
    written_manifest(work, *rows)
    warm(here, "grade", work, "--out", out, "--attempts", "best", "--chapters", "04")
    with Gradebook.open(out) as opened:
        assert [each.points for each in opened.submissions()] == [2.0]
    assert "ada,2026-02-02T12:00:00Z,2,3" in (out / "attempts.csv").read_text()
    warm(here, "grade", work, "--out", out, "--attempts", "best", "--chapters", "03")
    assert "ada,2026-02-01T12:00:00Z,1,3" in (out / "attempts.csv").read_text()


def test_a_chapter_that_the_course_has_no_more_is_told(tmp_path: Path) -> None:
    """Nothing of it counts: the course was changed since the class was held to it."""
    with Gradebook.create(tmp_path) as opened:
        opened.hold_to(("04_softmax", "04_powers"))
        chapters = opened.chapters
    (said,) = held_to(chapters)
    assert "The course has no 04_powers any more, of which nothing counts: say it anew." in said
