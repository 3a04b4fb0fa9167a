"""Writes marks as JUnit XML, as pytest does; knows no learning platform."""

import re
from typing import TextIO
from xml.sax.saxutils import quoteattr

from ...candidate.records import CheckOutcome, CheckResult, Mark, SubmissionMarks, Verdict
from ...gradebook.store import Gradebook
from .. import wording
from ..text import visible
from . import Options, one_submission

# Not characters of XML 1.0, and not control characters either.
_NO_XML = re.compile("[\ufffe\uffff]")
_TAGS = {
    CheckOutcome.FAILED: "failure",
    CheckOutcome.ERROR: "error",
    CheckOutcome.BLOCKED: "skipped",
}
_UNCHECKED = {
    Verdict.FAILED: CheckOutcome.FAILED,
    Verdict.PARTIAL: CheckOutcome.FAILED,
    Verdict.ERROR: CheckOutcome.ERROR,
    Verdict.TIMEOUT: CheckOutcome.ERROR,
    Verdict.CRASHED: CheckOutcome.ERROR,
    Verdict.PASSED: CheckOutcome.PASSED,
}


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """A suite for each learner, a case for each check; points are properties of the suite."""
    one = [one_submission(book, options)] if options.learner else None
    out.write('<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n')
    for submission in book.submissions() if one is None else one:
        out.write(_suite(submission))
    out.write("</testsuites>\n")


def _suite(submission: SubmissionMarks) -> str:
    cases = [_case(mark, check) for mark in submission.marks for check in checks_of(mark)]
    numbers = {
        tag + ("s" if tag != "skipped" else ""): sum(f"<{tag} " in case for case in cases)
        for tag in _TAGS.values()
    }
    counts = " ".join(f'{name}="{number}"' for name, number in numbers.items())
    head = f'<testsuite name={_attribute(submission.learner)} {counts} tests="{len(cases)}">'
    facts: dict[str, object] = {"points": submission.points, "max_points": submission.max_points}
    facts |= {"doubts": " ".join(submission.doubts)} if submission.doubts else {}
    for mark in submission.marks:
        for name in ("points", "max_points", "verdict"):
            facts[f"{mark.name}.{name}"] = getattr(mark, name)
        if said := [mark.by_hand, *(" ".join(wording.note(each)) for each in mark.notes)]:
            facts |= {f"{mark.name}.by_hand": " ".join(said)} if any(said) else {}
    properties = [
        f"<property name={_attribute(name)} value={_attribute(str(value))} />"
        for name, value in facts.items()
    ]
    body = ["<properties>", *properties, "</properties>", *cases]
    return "\n".join([head, *body, "</testsuite>", ""])


def checks_of(mark: Mark) -> tuple[CheckResult, ...]:
    """The checks; where none ran, one that says why."""
    outcome = _UNCHECKED.get(mark.verdict, CheckOutcome.BLOCKED)
    return mark.checks or (CheckResult("The checks can run.", outcome, mark.message),)


def _case(mark: Mark, check: CheckResult) -> str:
    place = f"{mark.chapter}.{mark.name}"
    head = f"<testcase classname={_attribute(place)} name={_attribute(check.title)}"
    tag = _TAGS.get(check.outcome)
    if tag is None:
        return f"{head} />"
    return f"{head}><{tag} message={_attribute(check.message)} /></testcase>"


def _attribute(text: str) -> str:
    shown = _NO_XML.sub("?", visible(text))
    return quoteattr(shown, {"\n": "&#10;", "\t": "&#9;"})
