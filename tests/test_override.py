"""Points that a person sets stay, are shown as such, and can be taken back."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grader.candidate.records import Verdict
from grader.cli import app
from grader.cohort import Way
from grader.gradebook.entries import Recorded
from grader.gradebook.overrides import Override
from grader.gradebook.store import Gradebook
from tests.marked import gradebook, mark, recorded

SET = ["override", "{book}", "ann", "softmax", "1.5", "--reason", "=a good <idea>", "--who", "Dr B"]


def call(*arguments: str, book: Path, way: Way | None = None) -> str:
    done = CliRunner().invoke(app, [each.format(book=book) for each in arguments], obj=way)
    assert done.exit_code == 0, done.output
    return done.output


def points(book: Path, exercise: str = "softmax") -> float:
    with Gradebook.open(book) as opened:
        (found,) = [e.mark.points for e in opened.entries("ann") if e.mark.name == exercise]
    return found


def test_they_stay_when_the_class_is_marked_again(tmp_path: Path) -> None:
    book = gradebook(tmp_path, recorded("ann", [mark("softmax", Verdict.FAILED)]))
    call(*SET, book=book)
    assert points(book) == 1.5
    gradebook(tmp_path, recorded("ann", [mark("softmax", Verdict.PASSED, 2.0)]))
    assert points(book) == 1.5
    call("override", "{book}", "ann", "softmax", "--remove", book=book)
    assert points(book) == 2.0


def counts(
    folder: Path,
    body: str,
    found: float = 0.0,
    judge: str = "judge",
    verdict: Verdict = Verdict.FAILED,
) -> Path:
    """A gradebook in which this is the answer that counts."""
    known = recorded("ann", [mark("softmax", verdict, found)])
    entries = (
        replace(e, code=body, settings=judge, source=((f"{len(body)}.py", 1, body),))
        for e in known.entries
    )
    return gradebook(folder, Recorded("ann", body, judge, True, (), tuple(entries)))


def test_they_wait_while_another_answer_counts(tmp_path: Path) -> None:
    counts(tmp_path, "return x\n")
    call(*SET, book=tmp_path)
    counts(tmp_path, "\nreturn x \n\n")
    assert points(tmp_path) == 1.5, "elsewhere, and the same"
    counts(tmp_path, "return 0\n")
    assert points(tmp_path) == 0.0
    call("comment", "{book}", "ann", "softmax", "Why?", "--who", "Dr B", book=tmp_path)
    told = "for another answer than the one that counts now, and do not count for it: ann (softmax)"
    index = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert told in index and "A person set the points" not in index
    (page,) = (tmp_path / "report" / "learners").glob("*.html")
    assert "; this one counts now, with what was found" in page.read_text(encoding="utf-8")
    pages = call("export", "page", "--learner", "ann", "--chapters", "04", "{book}", book=tmp_path)
    assert "; this one counts now" in pages and "Dr B, " in pages
    for form in ("csv", "json", "moodle"):
        exported = call("export", form, "{book}", book=tmp_path)
        assert "; this one counts now, with what was found" in exported and told in exported, form
    assert told in call("export", "canvas", "{book}", book=tmp_path)
    counts(tmp_path, "return x\n")
    assert points(tmp_path) == 1.5, "the first answer counts again"
    counts(tmp_path, "return 0\n")
    call(*SET, book=tmp_path)
    assert points(tmp_path) == 1.5, "set anew"
    call("override", "{book}", "ann", "softmax", "--remove", book=tmp_path)
    assert points(tmp_path) == 0.0 and told not in call("export", "csv", "{book}", book=tmp_path)


def test_points_of_an_exercise_that_is_called_otherwise_now_wait(tmp_path: Path) -> None:
    old = mark("softmax", Verdict.FAILED)
    book = gradebook(tmp_path, recorded("ann", [replace(old, name="soft_max"), mark("gelu")]))
    with Gradebook.create(book) as opened, opened.by_people() as people:
        people.set_points([Override("ann", "soft_max", 1.5, "a good idea", "Dr B")])
    gradebook(tmp_path, recorded("ann", [old, mark("gelu")]))
    told = "do not count for it: ann (soft_max)", "The course has no soft_max any more."
    assert all(each in call("export", "csv", "{book}", book=tmp_path) for each in told)
    call("override", "{book}", "ann", "soft_max", "--remove", book=tmp_path)
    assert "soft_max" not in call("export", "csv", "{book}", book=tmp_path)
    unknown = CliRunner().invoke(app, ["override", str(book), "ann", "soft_max", "--remove"])
    assert unknown.exit_code == 2 and "did you mean softmax" in unknown.output


SET_NO_LONGER = "softmax: failed, 1.5 of 2 → failed, "
DIFFERENCES: dict[str, tuple[tuple[Any, ...], str]] = {
    "they wait": (("return 0", 0.0), f"{SET_NO_LONGER}0 of 2; points set by hand wait: Dr B set"),
    "as many were found": (("return 0", 1.5), "No mark moved."),
    "another verdict": (
        ("return x", 2.0, "new", Verdict.PASSED),
        "softmax: failed, 1.5 of 2 → passed, 1.5 of 2; what judges it has changed",
    ),
}


@pytest.mark.parametrize("kind", DIFFERENCES)
def test_what_moved_is_told_where_points_were_set(kind: str, tmp_path: Path) -> None:
    given, told = DIFFERENCES[kind]
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        call(*SET, book=counts(folder, "return x"))
    counts(after, *given)
    said = " ".join(call("diff", str(before), str(after), book=after).split())
    assert told in said
    assert said.count("for another answer than the one that counts now") == (given[0] != "return x")
    back = " ".join(call("diff", str(after), str(before), book=after).split())
    assert ("set by hand: Dr B set this to 1.5" in back) == ("wait" in told)


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_surface_says_so(verdict: Verdict, tmp_path: Path) -> None:
    marks = [mark("softmax", verdict)]
    book = gradebook(tmp_path, recorded("ann", marks), recorded("bob", marks))
    call(*SET, book=book)
    report = book / "report"
    pages = [page.read_text(encoding="utf-8") for page in (report / "learners").glob("*.html")]
    assert sorted("=a good &lt;idea&gt;" in page for page in pages) == [False, True]
    (page,) = [page for page in pages if "=a good &lt;idea&gt;" in page]
    assert "<strong>1.5 of " in page and "1.5 of 2 points" in page
    exercise = (report / "exercises" / "softmax.html").read_text(encoding="utf-8")
    assert exercise.count("=a good &lt;idea&gt;") == 1
    whole = (report / "index.html").read_text(encoding="utf-8")
    assert "A person set the points of 1 answer by hand" in whole
    assert re.findall(r'<td class="number">([\d.]+)</td><td class="strip">', whole) == ["1.5", "0"]
    assert "of 2 points in what was begun" in whole
    read = json.loads(call("export", "json", "{book}", book=book))
    assert [each["points"] for each in read["submissions"]] == [1.5, 0.0]
    row = {each["name"]: each for each in read["submissions"][0]["exercises"]}["softmax"]
    assert row["points"] == 1.5 and row["by_hand"].startswith("Dr B set this to 1.5 points on ")
    assert "=a good &lt;idea&gt;" in call("export", "moodle", "{book}", book=book)
    for form in ("gradescope", "page"):
        shown = call("export", form, "{book}", "--learner", "ann", book=book)
        assert "=a good <idea>" in html.unescape(shown), form


REFUSED = [
    ["override", "{book}", "ann", "softmax", "1"],
    ["override", "{book}", "ann", "softmax", "1", "--reason", "r"],
    ["override", "{book}", "ann", "softmax", "1", "--remove"],
    ["override", "{book}", "ann", "softmax"],
    ["override", "{book}", "ann", "softmax", "--remove"],
    ["override", "{book}", "ann", "softmax", "3", "--reason", "r", "--who", "w"],
    ["override", "{book}", "ann", "softmax", "nan", "--reason", "r", "--who", "w"],
    ["override", "{book}", "ann", "sofmax", "1", "--reason", "r", "--who", "w"],
    ["override", "{book}", "bob", "softmax", "1", "--reason", "r", "--who", "w"],
    ["override", "{book}/none", "ann", "softmax", "1", "--reason", "r", "--who", "w"],
]


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_makes_no_sense_is_refused(arguments: list[str], tmp_path: Path) -> None:
    book = gradebook(tmp_path, recorded("ann", [mark()]))
    done = CliRunner().invoke(app, [each.format(book=book) for each in arguments])
    assert done.exit_code == 2
    assert points(book) == 0.0
    assert not (tmp_path / "none").exists()


@pytest.mark.isolation
def test_points_whose_learner_goes_by_another_name_are_told(here: Way, tmp_path: Path) -> None:
    """A second file gives both their full names; so does the return of one of them."""
    given = ("--out", str(tmp_path / "out"))
    work = tmp_path / "class"
    work.mkdir()
    (work / "ann.py").write_text("def sentence_vector(hidden_state):\n    pass\n", encoding="utf-8")
    call("grade", str(work), *given, book=tmp_path / "out", way=here)
    call("override", "{book}", "ann", *SET[3:], book=tmp_path / "out")
    assert "by hand stand with" not in call(
        "grade", str(work), *given, book=tmp_path / "out", way=here
    )
    (work / "ann.ipynb").write_text("{}", encoding="utf-8")
    told = "by hand stand with ann, whom"
    for said in (
        call("grade", str(work), *given, book=tmp_path / "out", way=here),
        *[
            " ".join(call("export", form, "{book}", book=tmp_path / "out").split())
            for form in ("csv", "moodle")
        ],
    ):
        assert told in " ".join(said.split())
    assert told in (tmp_path / "out/report/index.html").read_text(encoding="utf-8")
