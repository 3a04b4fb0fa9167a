"""Shows marks in a terminal, readable without colour; knows nothing of how they are found."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ..candidate.records import CheckResult, Mark, SubmissionMarks, Verdict
from . import wording
from .statistics import ClassCount
from .story import story
from .text import count, one_line, points, visible


@dataclass(frozen=True)
class _Unpadded:
    """What it is given, without the spaces that Rich puts behind each line: they get copied."""

    part: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in console.render_lines(self.part, options, pad=False):
            while line and not line[-1].text.strip():
                line.pop()
            if line:
                *before, (text, style, _) = line
                yield from before
                yield Segment(text.rstrip(), style)
            yield Segment.line()


def show_submission(console: Console, submission: SubmissionMarks) -> None:
    """Every exercise that was begun, then the others by name, then the points."""
    for problem in submission.problems:
        console.print(_Unpadded(Text(f"Not read: {visible(problem)}")))
    idle = [mark for mark in submission.marks if mark.verdict in wording.NOT_BEGUN]
    for mark in submission.marks:
        if mark not in idle:
            console.print(mark_text(mark))
    for verdict in wording.NOT_BEGUN:
        names = tuple(mark.name for mark in idle if mark.verdict is verdict)
        if names:
            told = Text(f"{str(verdict).capitalize()}: {wording.some(names)}.")
            console.print(_Unpadded(told))
    total = f"{points(submission.points)} of {points(submission.max_points)} points"
    console.print(Text(total, style="bold"))


def mark_text(mark: Mark) -> RenderableType:
    """One exercise with all that its learner should read."""
    head = Text(f"{wording.SIGNS[mark.verdict]} {mark.name}: ", style="bold")
    head.append(str(mark.verdict), style=wording.STYLES[mark.verdict])
    head.append(f", {points(mark.points)} of {points(mark.max_points)} points", style="not bold")
    parts: list[RenderableType] = [head]
    if mark.verdict is not Verdict.PASSED or mark.carried:
        parts += [Padding(part, (0, 0, 0, 4)) for part in _feedback(mark)]
    return _Unpadded(Group(*parts, ""))


def _feedback(mark: Mark) -> Iterable[RenderableType]:
    told = story(mark)
    for label, sentence in told.said:
        yield Text(f"{label} {visible(sentence)}" if label else visible(sentence))
    if told.where is not None:
        yield Text(visible(wording.located(told.where)))
    for check in told.leading:
        yield from _check(check)
    for label, question in told.asked:
        yield Text(f"{label} {visible(question)}")
    for detail in told.details:
        yield Text(visible(detail))
    if told.failed:
        yield Text(f"{told.follows} {wording.THEY_ASK}")
        yield from (Padding(Text(one_line(c.title)), (0, 0, 0, 2)) for c in told.failed)
    if told.waiting:
        yield Text(visible(wording.not_tried(told.waiting)))
    if told.passed and mark.verdict is not Verdict.PASSED:
        yield Text(f"{wording.SIGNS[Verdict.PASSED]} {wording.passed(mark, len(told.passed))}")


def _check(check: CheckResult) -> Iterable[RenderableType]:
    yield Text(wording.titled(check))
    if check.message:
        yield Padding(Text(visible(check.message)), (0, 0, 0, 4))
    if not check.differences:
        return
    indexed = any(row.index for row in check.differences)
    left_out = 0 if indexed else 1
    table = Table(*("index", "expected", "yours")[left_out:], box=None, padding=(0, 2, 0, 0))
    for row in check.differences:
        cells = (row.index, row.expected, row.got)[left_out:]
        table.add_row(*(Text(one_line(cell)) for cell in cells))
    yield Padding(table, (0, 0, 0, 4))


def show_class(console: Console, counted: ClassCount) -> None:
    """What became of each exercise that anybody began, and its most common misconception."""
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("exercise", no_wrap=True)
    for name in ("passed", "partial", "failed", "not begun"):
        table.add_column(name, justify="right")
    table.add_column("most common mistake", overflow="fold")
    for name, row in counted.exercises.items():
        if not row.counts:
            continue
        passed, partial = row.verdicts[Verdict.PASSED], row.verdicts[Verdict.PARTIAL]
        idle = counted.submissions - row.begun
        common = row.misconceptions.most_common(1)
        said = f"{common[0][0]} ({common[0][1]})" if common else ""
        other = row.begun - passed - partial
        table.add_row(name, str(passed), str(partial), str(other), str(idle), Text(visible(said)))
    if table.row_count:
        console.print(table)
    rows = [(v, counted.verdicts[v]) for v in Verdict if v is not Verdict.MISSING]
    told = ", ".join(f"{verdict} {number:,}" for verdict, number in rows if number)
    submissions = count(counted.submissions, "submission")
    said = f"of all answers, {told}" if told else "nothing was handed in"
    console.print(Text(f"{submissions}: {said}"))
