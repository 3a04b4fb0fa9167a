"""One learner's feedback as HTML, for their page and for a notebook's card; writes no file."""

from __future__ import annotations

from collections.abc import Iterator

from ..candidate.records import CheckOutcome, CheckResult, Mark, SubmissionMarks, Verdict
from . import wording
from .page import escaped, page, row
from .standing import doubts
from .story import story
from .text import name_of, points


def learner_page(submission: SubmissionMarks) -> str:
    """All that one learner should read."""
    name = shown_name(submission)
    total = f"{points(submission.points)} of {points(submission.max_points)} points"
    body = [f"<h1>{escaped(name)}</h1>", f"<p>{total}</p>"]
    body += [f"<p><strong>{escaped(doubt)}</strong></p>" for doubt in doubts(submission)]
    if submission.problems:
        body += ["<h2>Not read</h2>", "<ul>"]
        body += [f'<li class="said">{escaped(problem)}</li>' for problem in submission.problems]
        body.append("</ul>")
    in_short: dict[Verdict, list[str]] = {}
    sections: list[str] = []
    links: list[str] = []
    for mark in submission.marks:
        if mark.verdict in (Verdict.PASSED, *wording.NOT_BEGUN) and not (
            mark.carried or mark.by_hand
        ):
            in_short.setdefault(mark.verdict, []).append(mark.name)
            continue
        name = escaped(mark.name)
        if mark.verdict is not Verdict.PASSED:
            links.append(f'<a href="#{name}">{name}</a> ({escaped(mark.verdict)})')
        sections += [f'<section id="{name}">', *mark_html(mark, "h2"), "</section>"]
    if len(links) > 1:
        body.append(f"<p>To mend, in this order: {', '.join(links)}.</p>")
    body += [*sections, "<section>"]
    for verdict in (Verdict.PASSED, *wording.NOT_BEGUN):
        if names := in_short.get(verdict):
            body.append(_listed(str(verdict).capitalize(), names))
    body.append('<p><a href="../index.html">The class</a></p></section>')
    return page(name, body)


def _listed(label: str, names: list[str]) -> str:
    """Names on a line; many of them are folded."""
    told = escaped(", ".join(names))
    if len(names) <= wording.MANY:
        return f"<p>{escaped(label)}: {told}.</p>"
    return f"<details><summary>{escaped(label)}: {len(names)}</summary><p>{told}.</p></details>"


def shown_name(submission: SubmissionMarks) -> str:
    """The learner's name, short enough for a line."""
    return name_of(submission.learner)


def mark_html(mark: Mark, heading: str) -> Iterator[str]:
    """One exercise: verdict, points, what it behaves like, what shows it; the rest is folded."""
    sign = f'<span aria-hidden="true">{wording.VERDICT_SIGNS[mark.verdict]}</span>'
    yield f"<{heading}>{sign} {escaped(mark.name)}: {escaped(mark.verdict)}</{heading}>"
    won = f"{points(mark.points)} of {points(mark.max_points)} points"
    passed = wording.summary(mark)
    yield f"<p>{won}{'; ' if passed else ''}{passed}.</p>"
    told = story(mark)
    for label, sentence in told.said:
        yield _said(sentence, label)
    if told.leading:
        yield _list(told.leading)
    if told.failed:
        yield _folded(wording.more_failed(len(told.leading), len(told.failed)), told.failed)
    if told.waiting:
        yield _folded(wording.not_run(len(told.waiting)), told.waiting)
    if told.passed:
        yield _folded(wording.passed(mark, len(told.passed)), told.passed)


def _folded(summary: str, checks: tuple[CheckResult, ...]) -> str:
    return f"<details><summary>{escaped(summary)}</summary>{_list(checks)}</details>"


def _list(checks: tuple[CheckResult, ...]) -> str:
    return "<ul>" + "\n".join("".join(_check(check)) for check in checks) + "</ul>"


def _check(check: CheckResult) -> Iterator[str]:
    sign = wording.OUTCOME_SIGNS[check.outcome]
    yield f'<li><span aria-hidden="true">{sign}</span> {wording.OUTCOMES[check.outcome]}: '
    yield escaped(check.title)
    if check.outcome is not CheckOutcome.PASSED:
        if check.message:
            yield _said(check.message)
        if any(each.index for each in check.differences):
            yield "<table><caption>Where it differs first</caption>"
            yield row("index", "expected", "got", head=True)
            for each in check.differences:
                yield row(escaped(each.index), escaped(each.expected), escaped(each.got))
            yield "</table>"
        else:
            for each in check.differences:
                yield "<table><caption>Where it differs</caption>"
                yield row("expected", escaped(each.expected)) + row("got", escaped(each.got))
                yield "</table>"
    yield "</li>"


def _said(text: str, label: str = "") -> str:
    start = f"<strong>{escaped(label)}</strong> " if label else ""
    return f'<p class="said">{start}{escaped(text)}</p>'
