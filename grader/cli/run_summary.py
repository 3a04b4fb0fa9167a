"""Says at the end of a run what the class came to, and what a person has to know; marks nothing."""

from ..cohort import Result
from ..gradebook.store import Gradebook
from ..report.looks import unread
from ..report.standing import absent, alike, incomplete, listed, waiting, when_known
from ..report.statistics import ClassCount
from ..report.terminal import show_class
from ..report.text import count
from .class_run import Run
from .console import err, out, say


def tell_summary(run: Run, result: Result, counted: ClassCount, seconds: float) -> None:
    """The class in a table, how long it took, and all remarks on it."""
    show_class(out, counted)
    rate = result.marked / seconds if seconds else 0.0
    marked = f"{count(result.marked, 'submission')} marked in {seconds:.1f} s"
    unchanged = result.submissions - result.marked - len(result.failed)
    say(f"{marked} ({rate:.1f} a second); {unchanged:,} had been marked already.")
    with Gradebook.open(run.folder) as book:
        unisolated, standing = book.unisolated(), book.standing()
        times, learners = book.times(), [*book.learners()]
    others = counted.submissions - result.submissions
    if others:
        say(f"{count(others, 'other submission')} in the gradebook: left as before.")
    if result.elsewhere:
        said = "These names are in another folder too, and the work in this one counts now; of two"
        say(f"{said} people, call one otherwise: {listed(result.elsewhere)}.", err)
    if times:
        say(when_known(learners, times))
        everybody = {*learners, *standing.absent}
        if strangers := [name for name in times if name not in everybody]:
            say(f"The times name nobody of the class: {listed(strangers)}.", err)
    for remark in (*unread(standing), *absent(standing), *waiting(standing), *alike(standing)):
        say(remark)
    if standing.unfinished:
        say(f"Still incomplete. {incomplete(standing)[0]}", err)
    if unisolated:
        affected = count(unisolated, "submission")
        trusted = "WITHOUT ISOLATION (--trust-submissions): they could do anything."
        say(f"{affected} marked {trusted}")
    if result.failed:
        message = "The grader itself failed on these; the same command tries them again: "
        say(message + listed(result.failed), err)
    say(f"Report: {run.folder / 'report' / 'index.html'}")
