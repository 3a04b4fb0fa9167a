"""One learner's feedback as HTML, for their page and for a notebook's card; writes no file."""

from __future__ import annotations

from collections.abc import Iterator

from ..records import CheckOutcome, CheckResult, Mark, SubmissionMarks, Verdict
from . import wording
from .page import escaped, page, row
from .text import name_of, points


def learner_page(submission: SubmissionMarks) -> str:
    """All that one learner should read."""
    name = shown_name(submission)
    total = f"{points(submission.points)} of {points(submission.max_points)} points"
    body = [f"<h1>{escaped(name)}</h1>", f"<p>{total}</p>"]
    if submission.problems:
        body += ["<h2>Not read</h2>", "<ul>"]
        body += [f'<li class="said">{escaped(problem)}</li>' for problem in submission.problems]
        body.append("</ul>")
    idle: dict[Verdict, list[str]] = {}
    for mark in submission.marks:
        if mark.verdict in wording.NOT_BEGUN:
            idle.setdefault(mark.verdict, []).append(mark.name)
        else:
            body += ["<section>", *mark_html(mark, "h2"), "</section>"]
    body.append("<section>")
    for verdict, names in idle.items():
        told = f"{str(verdict).capitalize()}: {', '.join(names)}."
        body.append(f"<p>{escaped(told)}</p>")
    body.append('<p><a href="../index.html">The class</a></p></section>')
    return page(name, body)


def shown_name(submission: SubmissionMarks) -> str:
    """The learner's name, short enough for a line."""
    return name_of(submission.learner)


def mark_html(mark: Mark, heading: str) -> Iterator[str]:
    """One exercise: verdict and points in words, what it behaves like, each check."""
    sign = f'<span aria-hidden="true">{wording.VERDICT_SIGNS[mark.verdict]}</span>'
    yield f"<{heading}>{sign} {escaped(mark.name)}: {escaped(mark.verdict)}</{heading}>"
    told = f"{points(mark.points)} of {points(mark.max_points)} points"
    passed = wording.summary(mark)
    yield f"<p>{told}{'; ' if passed else ''}{passed}.</p>"
    if mark.carried:
        yield _said(wording.carried(mark))
    if mark.message and mark.verdict is not Verdict.PASSED:
        yield _said(mark.message)
    for found in mark.diagnosis:
        yield _said(f"It behaves like this: {found.explanation}")
        yield _said(f"Think about: {found.question}")
    if mark.checks:
        yield "<ul>"
        for check in mark.checks:
            yield "".join(_check(check))
        yield "</ul>"


def _check(check: CheckResult) -> Iterator[str]:
    sign = wording.OUTCOME_SIGNS[check.outcome]
    yield f'<li><span aria-hidden="true">{sign}</span> {escaped(check.outcome)}: '
    yield escaped(check.title)
    if check.outcome is not CheckOutcome.PASSED:
        if check.message:
            yield _said(check.message)
        if check.differences:
            yield "<table><caption>Where it differs first</caption>"
            yield row("index", "expected", "got", head=True)
            for each in check.differences:
                yield row(escaped(each.index), escaped(each.expected), escaped(each.got))
            yield "</table>"
    yield "</li>"


def _said(text: str) -> str:
    return f'<p class="said">{escaped(text)}</p>'
