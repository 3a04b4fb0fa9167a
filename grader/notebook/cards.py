"""What `check`, `hint` and `progress` show, as HTML and as plain text; marks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..candidate.records import CheckResult, Mark
from ..report import wording
from ..report.feedback import mark_html
from ..report.page import escaped, row
from ..report.story import story
from ..report.text import count, one_line, points, visible

_STYLE = (
    "<style>.grader-card { border: 1px solid #8888; border-left: .4rem solid #888; "
    "padding: .2rem 1rem; max-width: 60rem; } .grader-card .said { white-space: pre-wrap; } "
    ".grader-card p, .grader-card ul, .grader-card table { margin: .3rem 0; } "
    ".grader-card h4 { margin: .5rem 0; } .grader-card caption { text-align: left; } "
    ".grader-card details { margin: .2rem 0; }</style>"
)


@dataclass(frozen=True, repr=False)
class Card:
    """One mark, with what there is to say of the code beside it and what the code printed."""

    mark: Mark
    notes: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()  # lines that differ from each other
    lines_printed: int = 0  # all of them

    def __repr__(self) -> str:
        lines = [*_lines(self.mark, self.notes)]
        if self.printed:
            lines.append(f"  {self._printed_title()}:")
            lines += [_indented(line, 6) for line in self.printed]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        body = [*mark_html(self.mark, "h4")]
        body[1:1] = [f'<p class="said">{escaped(note)}</p>' for note in self.notes]
        if self.printed:
            lines = escaped("\n".join(self.printed))
            body.append(f"<details><summary>{self._printed_title()}</summary>")
            body.append(f'<p class="said">{lines}</p></details>')
        return _framed("\n".join(body), f"Check of {self.mark.name}")

    def _printed_title(self) -> str:
        """How many lines there are, and how many of them are shown."""
        told = f"Your code printed {count(self.lines_printed, 'line')}"
        if self.lines_printed == len(self.printed):
            return told
        return f"{told}; here are the first that differ"


@dataclass(frozen=True, repr=False)
class Notice:
    """A few sentences: a hint, or why there is nothing to check."""

    title: str
    lines: tuple[str, ...]

    def __repr__(self) -> str:
        return "\n".join([self.title, *(f"  {line}" for line in self.lines)])

    def _repr_html_(self) -> str:
        said = "".join(f'<p class="said">{escaped(line)}</p>' for line in self.lines)
        return _framed(f"<h4>{escaped(self.title)}</h4>{said}", self.title)


@dataclass(frozen=True, repr=False)
class Overview:
    """Where a learner is: chapter, exercise and state, in course order."""

    rows: tuple[tuple[str, str, str], ...]

    def __repr__(self) -> str:
        width = max((len(name) for _, name, _ in self.rows), default=0)
        lines: list[str] = []
        for chapter, name, state in self.rows:
            if chapter not in lines:
                lines.append(chapter)
            lines.append(f"  {name:<{width}}  {state}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(row(escaped(n), escaped(c), escaped(s)) for c, n, s in self.rows)
        head = row("exercise", "chapter", "state", head=True)
        return f"<table><caption>Your progress</caption>{head}{rows}</table>"


def _framed(body: str, label: str) -> str:
    start = f'<div class="grader-card" role="region" aria-label="{escaped(label)}">'
    return f"{_STYLE}{start}{body}</div>"


def _lines(mark: Mark, notes: tuple[str, ...]) -> Iterator[str]:
    """The card as plain text."""
    yield (
        f"{wording.VERDICT_SIGNS[mark.verdict]} {mark.name}: {mark.verdict}, "
        f"{points(mark.points)} of {points(mark.max_points)} points"
    )
    for note in notes:
        yield _indented(note, 2)
    told = story(mark)
    for label, sentence in told.said:
        yield _indented(f"{label} {sentence}" if label else sentence, 2)
    for check in told.leading:
        yield from _check_lines(check)
    for check in (*told.failed, *told.waiting, *told.passed):
        yield _title_line(check)


def _title_line(check: CheckResult) -> str:
    outcome = f"{wording.OUTCOME_SIGNS[check.outcome]} {wording.OUTCOMES[check.outcome]}"
    return f"  {outcome}: {one_line(check.title)}"


def _check_lines(check: CheckResult) -> Iterator[str]:
    yield _title_line(check)
    if check.message:
        yield _indented(check.message, 6)
    if not any(each.index for each in check.differences):
        for each in check.differences:
            yield f"      expected: {one_line(each.expected)}"
            yield f"      got:      {one_line(each.got)}"
    else:
        table = [("index", "expected", "got")]
        table += [
            (one_line(each.index), one_line(each.expected), one_line(each.got))
            for each in check.differences
        ]
        widths = [max(len(cells[column]) for cells in table) for column in range(3)]
        for cells in table:
            padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
            yield "      " + "  ".join(padded).rstrip()


def _indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in visible(text).split("\n"))
