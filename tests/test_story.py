"""A mark is told with the most telling first, and what only follows below it."""

from __future__ import annotations

import json

import pytest

from grader.candidate.failures import Frame, Problem
from grader.candidate.message import say
from grader.candidate.records import (
    CheckOutcome,
    CheckResult,
    Diagnosis,
    Difference,
    Location,
    Mark,
    Verdict,
    mark_from_json,
    mark_to_json,
)
from grader.notebook.cards import Card
from grader.report.story import story
from tests.pages import Page, html


def test_the_most_telling_comes_first_and_nothing_twice() -> None:
    def check(title: str, outcome: CheckOutcome, said: str = "") -> CheckResult:
        places = (Difference("[0]", "1", "2"),) if outcome is CheckOutcome.FAILED else ()
        return CheckResult(title, outcome, said, 1, places)

    wrong, right = CheckOutcome.FAILED, CheckOutcome.PASSED
    checks = (
        check("Fine.", right),
        check("One.", wrong, say("Everything is {} times as large.", 2)),
        check("Two.", wrong, say("Everything is {} times as large.", 3.5)),
        check("Three.", wrong, "Its shape is [3]."),
        check("Four.", wrong, "Its dtype is int64."),
    )
    known = (Diagnosis("doubled", "It is doubled.", "Where is a 2?"),)
    parts = story(Mark("gelu", "c", Verdict.FAILED, 0.0, 1.0, checks))
    assert [each.title for each in parts.leading] == ["One."]
    assert [each.message for each in parts.failed] == [
        "",
        "Its shape is [3].",
        "Its dtype is int64.",
    ]
    more = "fail too, perhaps for this reason alone. Fix this first, then check again."
    assert parts.follows == f"3 more checks {more}"
    parts = story(Mark("gelu", "c", Verdict.FAILED, 0.0, 1.0, checks, known))
    assert [each.title for each in parts.leading] == ["One."]
    assert [label for label, _ in parts.said] == ["It behaves like this:"]
    assert [label for label, _ in parts.asked] == ["Think about:"]


def test_a_mistake_comes_before_the_error_that_it_leads_to() -> None:
    frames = (Frame("cell 3", 2, "gelu", "x + None"),)
    summary = Problem("raised", "TypeError", "no", "call", frames).summary()
    raised = say("gelu raised {}", summary, kind=summary.kind)
    assert raised == "gelu raised TypeError: no (cell 3, line 2)"
    checks = (CheckResult("One.", CheckOutcome.ERROR, summary),)
    known = (Diagnosis("doubled", "It is doubled.", "Where is a 2?"),)
    whole = Mark("gelu", "c", Verdict.ERROR, 0.0, 1.0, checks, known, message=raised)
    for shown in (story(whole), story(mark_from_json(json.loads(json.dumps(mark_to_json(whole)))))):
        said = [sentence for _, sentence in (*shown.said, *shown.asked)]
        assert said == ["It is doubled.", raised, "Where is a 2?"]
        assert not shown.leading
        assert [each.message for each in shown.failed] == [""]


def test_what_only_follows_is_folded_below_one_fault() -> None:
    """Checks that a mistake fails as well are no faults of their own."""

    def raised(name: str) -> CheckResult:
        return CheckResult(name, CheckOutcome.ERROR, say("It raised {}.", "KeyError"))

    def wrong(name: str, by: float) -> CheckResult:
        message = say("Everything is {} times as large.", by)
        return CheckResult(name, CheckOutcome.FAILED, message)

    then = "Fix this first, then check again. What is asked there:"
    kinds = (
        ((wrong("One.", 2), wrong("Two.", 3)), "1 more check fails in the same way."),
        ((raised("One."), raised("Two.")), "2 checks end in this same error."),
    )
    for checks, said in kinds:
        is_error = checks[0].outcome is CheckOutcome.ERROR
        verdict = Verdict.ERROR if is_error else Verdict.FAILED
        message = checks[0].message if is_error else ""
        shown = Card(Mark("gelu", "c", verdict, 0.0, 1.0, checks, message=message))
        text, page = repr(shown), Page(html(shown))
        assert f"  {said} {then}\n" in text and "    Two." in text.splitlines()
        assert f"{said} {then}" in page.text and "Two." in page.text
        signs = text.count("✗") + text.count("! ")
        assert signs == (1 if is_error else 2)  # the verdict's and that of the check in full


@pytest.mark.parametrize("said", ["raised it", "raises an error for at least one implementation"])
def test_the_part_that_is_meant_is_a_whole_name(said: str) -> None:
    source = "return x.view(batch, num_heads, hidden // num_head)"
    message = f"Line 3 {said}: {source}"
    where = Location("raised", "cell 3", 3, source, message, part="num_head")
    shown = Card(Mark("split_heads", "c", Verdict.ERROR, 0.0, 1.0, location=where))
    assert f"  {message}\n  {' ' * (len(message) - 9)}^^^^^^^^" in repr(shown)
    assert "hidden // <mark>num_head</mark>)" in html(shown)
