"""What people write and set beside marks stays and is shown; nobody undoes what another did."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from grader.candidate.records import Location, Verdict
from grader.cli import app
from grader.gradebook.entries import Recorded
from grader.gradebook.people import MOST_REQUESTS
from grader.gradebook.store import Gradebook
from grader.report.text import page_name
from grader.service.app import CheckerService
from grader.service.hand_forms import Done, perform
from grader.service.ledger import Ledger
from grader.service.live_report import LiveReport
from tests.marked import gradebook, mark, recorded
from tests.test_live_report import NoMarking, basic

SAME = (("work.ipynb, cell 3", 1, "def softmax(x, dim):\n    return x"),)
OTHER = (("work.ipynb, cell 3", 1, "def softmax(x, dim):\n    return x.exp()"),)
HOSTILE = "=1+1 <script>alert(1)</script>\x1b[31m"


def answered(learner: str, source: tuple[tuple[str, int, str], ...] = SAME) -> Recorded:
    known = recorded(learner, [mark("softmax")])
    entries = (replace(each, source=source if each.mark.checks else ()) for each in known.entries)
    return replace(known, entries=tuple(entries))


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Two learners with one answer, and a third with another."""
    return gradebook(
        tmp_path / "marks", *(answered(n) for n in ("ann", "bob")), answered("cem", OTHER)
    )


def call(*arguments: object, status: int = 0) -> str:
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == status, done.output
    return done.output


def notes(book: Path, learner: str) -> list[tuple[str, str, int, str]]:
    with Gradebook.open(book) as opened:
        (found,) = [e.mark.notes for e in opened.entries(learner) if e.mark.name == "softmax"]
    return [(each.kind, each.text, each.line, each.code) for each in found]


def test_a_gradebook_may_be_named_by_its_file(book: Path) -> None:
    given = ("ann", "softmax", "well read", "--who", "Dr B")
    assert "ann" in call("comment", book / "gradebook.sqlite", *given)


def test_a_line_that_is_none_of_an_answer_is_told_which_there_are(book: Path) -> None:
    said = call("comment", book, "ann", "softmax", "x", "--who", "Dr B", "--line", 7, status=2)
    assert "no line 7; its code: work.ipynb, cell 3, lines 1 to 2" in " ".join(said.split())


def test_a_comment_on_a_line_stays_and_every_surface_has_it(book: Path) -> None:
    call("comment", book, "ann", "softmax", HOSTILE, "--who", "Dr B", "--line", 2, "--alike")
    kept = ("comment", HOSTILE, 2, "return x")
    assert notes(book, "ann") == notes(book, "bob") == [kept] and not notes(book, "cem")
    gradebook(book, answered("ann", OTHER), answered("bob"), answered("cem", OTHER))
    assert notes(book, "ann") == [kept], "whatever is marked anew"
    report = book / "report"
    for path in ("learners/*.html", "exercises/softmax.html"):
        pages = [page.read_text(encoding="utf-8") for page in report.glob(path)]
        assert any("&lt;script&gt;alert(1)" in page for page in pages)
        assert not any("<script>alert(1)" in page or "\x1b" in page for page in pages)
        assert not any("<form method" in page for page in pages)
    read = json.loads(call("export", "json", book))
    (own,) = [e["notes"] for e in read["submissions"][0]["exercises"] if "notes" in e]
    assert own[0] | {"time": ""} == {
        **{"kind": "comment", "who": "Dr B", "time": "", "text": HOSTILE},
        **{"cell": "work.ipynb, cell 3", "line": 2, "code": "return x", "of_another": True},
    }
    for form in ("csv", "moodle", "junit"):
        said = call("export", form, book)
        assert "on line 2 of work.ipynb, cell 3" in said, form
        assert form != "moodle" or re.search(r"[.!?] Dr B, ", said), "the verdict ends before it"
        assert said.count("of another answer than the one that counts now, on line 2") == 1, form
    for learner in ("ann", "bob"):
        page = call("export", "page", book, "--learner", learner)
        assert ("<mark>    return x" in page) == (learner == "bob"), "a line of another answer"
    for form in ("gradescope", "page"):
        shown = html.unescape(call("export", form, book, "--learner", "ann"))
        assert "Dr B" in shown and "=1+1 <script>" in shown, form
    every = call("requests", book, "--every")
    number = every.partition(". ")[0]
    call("comment", book, "--remove", number, "--who", "Dr C")
    assert not notes(book, "ann") and notes(book, "bob") == [kept]
    assert "removed 1 by Dr C" in call("requests", book, "--every")
    call("comment", book, "--remove", number, "--who", "Dr C", status=2)


def test_equal_answers_are_equal_in_whatever_file_they_stand(tmp_path: Path) -> None:
    def alone(learner: str) -> Recorded:
        file = f"{learner}.py"
        known = answered(learner, ((file, 1, SAME[0][2]),))
        place = Location("departs", file, 2, "return x", f"Line 2 of {file}")
        entries = (replace(e, mark=replace(e.mark, location=place)) for e in known.entries)
        return replace(known, entries=tuple(entries))

    book = gradebook(tmp_path / "marks", alone("ann"), alone("bob"))
    said = call("comment", book, "ann", "softmax", "t", "--who", "B", "--line", 2, "--alike")
    assert "ann and 1 other with the same answer" in said
    assert notes(book, "ann") == notes(book, "bob") == [("comment", "t", 2, "return x")]


def test_points_for_all_equal_answers_and_their_history(book: Path) -> None:
    given = ["--reason", "the sign", "--who", "Dr B"]
    before = gradebook(book.with_name("before"), *(answered(n) for n in ("ann", "bob")))
    said = call("override", book, "bob", "softmax", 1, *given, "--alike")
    assert "bob and 1 other with the same answer, softmax: 1 point from" in said
    assert "Dr B set this to 1 point on" in call("export", "page", book, "--learner", "ann")
    said = call("override", book, "ann", "softmax", 1.5, *given, "--alike")
    assert "ann and 1 other with the same answer, softmax: 1.5 points" in said
    with Gradebook.open(book) as opened:
        assert [each.points for each in opened.submissions()] == [1.5, 1.5, 0.0]
    moved = call("diff", before, book)
    assert moved.count("set by hand: Dr B set this to 1.5 points") == 2
    assert "set by hand no longer; before: Dr B" in call("diff", book, before)
    call("override", book, "bob", "softmax", "--remove")
    every = call("requests", book, "--every").splitlines()
    assert [line.partition("softmax: ")[2] for line in every] == [
        "points by Dr B: 1: the sign",
        "points by Dr B: 1: the sign",
        "points by Dr B: 1.5: the sign",
        "points by Dr B: 1.5: the sign",
        "points by an instructor: taken back: the grader's own points count",
    ]


def test_a_request_waits_until_it_is_answered(book: Path) -> None:
    assert "No request waits" in call("requests", book)
    call("ask", book, "ann", "softmax", "It is <right>.")
    call("ask", book, "ann", "softmax", "Really!", status=2)
    assert "did you mean softmax" in call("ask", book, "ann", "softmx", "Look", status=2)
    assert "nobody called anne; did you mean ann?" in " ".join(
        call("ask", book, "anne", "softmax", "Look", status=2).split()
    )
    assert "1. " in call("requests", book) and "It is <right>." in call("requests", book)
    index = (book / "report" / "index.html").read_text(encoding="utf-8")
    assert "It is &lt;right&gt;." in index.partition("Asked to look again")[2]
    call("answer", book, 1, "It is not.", "--who", "Dr B")
    assert "Dr B has answered this" in call(
        *("answer", book, 1, "It is.", "--who", "Dr C"), status=2
    )
    assert "No request waits" in call("requests", book)
    assert [kind for kind, *_ in notes(book, "ann")] == ["request", "answer"]
    page = call("export", "page", book, "--learner", "ann")
    assert "Dr B answers, " in page and "It is not." in page
    with Gradebook.create(book) as opened, opened.by_people() as people:
        people.ask("ann", "softmax", "Look.\n\nDr B answers, 2026-01-01: “full marks”")
    forged = '“Look.” “Dr B answers, 2026-01-01: "full marks"”'
    assert forged in call("requests", book)
    for form in ("csv", "moodle", "junit"):
        said = call("export", form, book, "--incomplete")
        for quote in ("&quot;", '""'):
            said = said.replace(quote, '"')
        assert forged in said.replace("\\n", " ").replace("&#10;", " "), form
    for _ in range(MOST_REQUESTS - 2):
        with Gradebook.create(book) as opened, opened.by_people() as people:
            people.ask("ann", "gelu", "Look")
            number = max(each.id or 0 for each in opened.notes())
            people.answer(number, "Seen", "Dr B")
    assert f"more than {MOST_REQUESTS} requests" in call(
        *("ask", book, "ann", "gelu", "Look"), status=2
    )


REFUSED = [
    ["comment", "{book}", "ann", "softmax", "text"],
    ["comment", "{book}", "ann", "softmax", " ", "--who", "w"],
    ["comment", "{book}", "ann", "softmax", "x" * 4_001, "--who", "w"],
    ["comment", "{book}", "ann", "softmax", "text", "--who", "w" * 81],
    ["comment", "{book}", "ann", "softmax", "text", "--who", "w", "--line", "3"],
    ["comment", "{book}", "ann", "softmax", "text", "--who", "w", "--line", "1", "--cell", "no"],
    ["comment", "{book}", "zoe", "softmax", "text", "--who", "w"],
    ["comment", "{book}", "--remove", "1", "--who", "w"],
    ["ask", "{book}", "zoe", "softmax", "text"],
    ["answer", "{book}", "7", "text", "--who", "w"],
    ["requests", "{book}/none"],
]


@pytest.mark.parametrize("arguments", REFUSED, ids=lambda each: " ".join(each)[:60])
def test_what_makes_no_sense_is_refused(arguments: list[str], book: Path) -> None:
    call(*(each.format(book=book) for each in arguments), status=2)
    with Gradebook.open(book) as opened:
        assert not opened.notes()


def test_a_learner_asks_through_the_checker_and_reads_the_answer(
    book: Path, tmp_path: Path
) -> None:
    report = LiveReport(book)
    with Ledger(tmp_path / "kept") as store:
        tokens = store.enrol(["ann", "stranger"])
        service = CheckerService(store, [NoMarking()], report=report)
        checker = TestClient(service.app())
        ann, stranger = ({"Authorization": f"Bearer {each}"} for each in tokens.values())
        asked = {"exercise": "softmax", "text": HOSTILE}
        assert checker.post("/look-again", json=asked, headers=stranger).status_code == 409
        assert checker.post("/look-again", json=asked, headers=ann).status_code == 200
        again = checker.post("/look-again", json=asked, headers=ann)
        assert again.status_code == 409 and "waits for an answer" in again.json()["error"]
        for body in ({}, {**asked, "exercise": "x"}, {**asked, "text": 1}):
            assert checker.post("/look-again", json=body, headers=ann).status_code == 400
        call("answer", book, 1, "Seen.", "--who", "Dr B")
        mine = checker.get("/mine", headers=ann).json()["asked"]
        assert [(each["kind"], each["text"]) for each in mine] == [
            ("request", HOSTILE),
            ("answer", "Seen."),
        ]
        assert checker.get("/mine", headers=stranger).json()["asked"] == []
    report.close()


def looked_at(folder: Path, learner: str) -> dict[str, str]:
    """What a form about this learner's softmax says of the answer that its page shows."""
    with Gradebook.open(folder) as book:
        answer, held = book.bound_now(learner, "softmax")
    return {"answer": answer, "held": held or ""}


def test_forms_are_the_instructors_alone_and_from_their_own_page(
    book: Path, tmp_path: Path
) -> None:
    report = LiveReport(book)
    with Ledger(tmp_path / "kept") as store:
        ann, instructor = store.enrol(["ann"])["ann"], store.renew_instructor("Dr B")
        browser = TestClient(CheckerService(store, [NoMarking()], report=report).app())
        own = basic(instructor)
        page = f"learners/{page_name('ann')}"
        assert report.key in browser.get(f"/report/{page}", headers=own).text
        form = {
            **{"key": report.key, "page": page, "learner": page_name("ann"), "do": "points"},
            **{"exercise": "softmax", "points": "1", "reason": "r", "size": "1", "seen": "0"},
            **looked_at(book, "ann"),
        }

        def post(changed: dict[str, str], headers: dict[str, str]) -> int:
            sent = browser.post(
                "/report/hand", data={**form, **changed}, headers=headers, follow_redirects=False
            )
            return sent.status_code

        as_other = b64encode(f"Dr C:{instructor}".encode()).decode()
        named = {"Authorization": f"Basic {as_other}"}  # what a browser's name says is nobody's
        for headers in ({}, basic(ann), {"Authorization": f"Bearer {ann}"}):
            assert post({}, headers) == 401
        assert post({"key": "guessed"}, named) == 409
        assert post({"answer": "another"}, named) == 409, "another answer counts since"
        for changed in (
            *({"do": "all"}, {"exercise": "no"}, {"page": "//evil.example/a.html"}),
            *({"points": "nan"}, {"points": "3"}, {"reason": ""}, {"learner": "zoe"}),
            {"do": "comment", "text": "t", "place": "9|1"},
        ):
            assert post(changed, named) == 400, changed
        with Gradebook.open(book) as opened:
            assert not opened.notes()
        assert post({}, named) == 303
        with Gradebook.open(book) as opened:
            assert {note.who for note in opened.notes()} == {"Dr B"}, "the token's owner"
        assert post({}, named) == 409, "it was seen before they were set"
        assert post({"do": "take back"}, named) == 409
        assert post({"alike": "1", "size": "2"}, named) == 409, "the other has no points by hand"
        rest = {"page": "exercises/softmax.html", "do": "comment", "text": "t", "alike": "1"}
        back = browser.post("/report/hand", data=form | rest, headers=named)
        assert back.status_code == 200 and f'id="{back.url.fragment}"' in back.text
    report.close()


def test_a_comment_on_equal_answers_stands_in_each_ones_own_file(tmp_path: Path) -> None:
    """From the command line and from a page alike: nobody reads whose else the answer is."""
    code = SAME[0][2]
    own = {name: ((f"{name}.py", first, code),) for name, first in (("ann", 1), ("bob", 8))}
    for way in ("command", "page"):
        marks = gradebook(tmp_path / way, *(answered(name, own[name]) for name in own))
        if way == "command":
            call("comment", marks, "bob", "softmax", "t", "--who", "B", "--line", 9, "--alike")
        else:
            fields = {"text": "t", "place": "0|9", "alike": "1", "size": "2"}
            fields |= looked_at(marks, "bob")
            page = f"learners/{page_name('bob')}"
            perform(marks, Done("comment", "B", page, page_name("bob"), "softmax", fields))
        with Gradebook.open(marks) as opened:
            found = {each.learner: (each.cell, each.line, each.code) for each in opened.notes()}
        assert found == {"ann": ("ann.py", 2, "return x"), "bob": ("bob.py", 9, "return x")}, way


def test_a_mark_with_notes_is_recorded_without_them(book: Path) -> None:
    call("comment", book, "ann", "softmax", "text", "--who", "w")
    with Gradebook.open(book) as opened:
        found = opened.submission("ann")
        assert found is not None and found.marks[0].verdict is Verdict.MISSING
        rows = [details for (details,) in opened.rows("SELECT details FROM mark")]
    assert not any("notes" in json.loads(each) for each in rows)
