"""A mark as lines of plain text, in a terminal and in a notebook alike; knows neither."""

from collections.abc import Iterator, Sequence

from ..candidate.records import CheckResult, Mark, Verdict
from . import wording
from .story import story
from .text import one_line, points, visible


def mark_lines(
    mark: Mark, remarks: Sequence[str] = (), more: Sequence[str] = (), hint: str = ""
) -> Iterator[str]:
    """What its learner should read of it, the most telling first.

    `remarks` come before all else, `more` in place of the question, a `hint` behind it.
    """
    told = story(mark)
    yield (
        f"{wording.SIGNS[mark.verdict]} {mark.name}: {mark.verdict}, "
        f"{points(mark.points)} of {points(mark.max_points)} points"
    )
    said, asked = (
        [f"{label} {sentence}" if label else sentence for label, sentence in pairs]
        for pairs in (told.said, told.asked)
    )
    where = [] if told.where is None else [wording.located(told.where)]
    for text in (*remarks, *said, *where):
        yield indented(text, 2)
    for check in told.leading:
        yield from _check_lines(check)
    for text in (*(more or asked), *told.details, *filter(None, [hint])):
        yield indented(text, 2)
    if told.failed:
        yield f"  {told.follows} {wording.THEY_ASK}"
        yield from (f"    {one_line(check.title)}" for check in told.failed)
    if told.waiting:
        yield indented(wording.not_tried(told.waiting), 2)
    # What passes is worth its lines beside what does not.
    for check in () if mark.verdict is Verdict.PASSED else told.passed:
        yield f"  {wording.titled(check)}"


def _check_lines(check: CheckResult) -> Iterator[str]:
    yield f"  {wording.titled(check)}"
    if check.message:
        yield indented(check.message, 6)
    rows = [
        (one_line(each.index), one_line(each.expected), one_line(each.got))
        for each in check.differences
    ]
    if not any(index for index, _, _ in rows):
        for _, expected, got in rows:
            yield f"      expected: {expected}"
            yield f"      yours:    {got}"
        return
    table = [("index", "expected", "yours"), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
        yield "      " + "  ".join(padded).rstrip()


def indented(text: str, by: int) -> str:
    """Every line of it, so many signs from the left."""
    return "\n".join(" " * by + line for line in visible(text).split("\n"))
