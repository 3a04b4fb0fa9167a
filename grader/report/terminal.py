"""Shows marks in a terminal, readable without colour; knows nothing of how they are found."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..candidate.records import Mark, SubmissionMarks, Verdict
from . import wording
from .plain import mark_lines
from .statistics import ClassCount
from .text import count, points, visible


def show_submission(console: Console, submission: SubmissionMarks) -> None:
    """Every exercise that was begun, then the others by name, then the points."""
    for problem in submission.problems:
        console.print(Text(f"Not read: {visible(problem)}"), soft_wrap=True)
    idle = [mark for mark in submission.marks if mark.verdict in wording.NOT_BEGUN]
    for mark in submission.marks:
        if mark not in idle:
            show_mark(console, mark)
    for verdict in wording.NOT_BEGUN:
        names = tuple(mark.name for mark in idle if mark.verdict is verdict)
        if names:
            told = Text(f"{str(verdict).capitalize()}: {wording.some(names)}.")
            console.print(told, soft_wrap=True)
    total = f"{points(submission.points)} of {points(submission.max_points)} points"
    console.print(Text(total, style="bold"))


def show_mark(console: Console, mark: Mark) -> None:
    """One exercise with all that its learner should read, in lines that a terminal wraps."""
    head, *rest = mark_lines(mark)
    console.print(Text(head, style=f"bold {wording.STYLES[mark.verdict]}"), soft_wrap=True)
    if mark.verdict is not Verdict.PASSED or mark.carried:
        console.print(Text("\n".join(rest)), soft_wrap=True)
    console.print()


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
