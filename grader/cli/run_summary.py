"""Says at the end of a run what the class came to, and what a person has to know; marks nothing."""

from collections.abc import Mapping
from statistics import median_low

from ..cohort import Result
from ..gradebook.store import Gradebook
from ..report.looks import unread
from ..report.standing import absent, alike, held_to, incomplete, listed, waiting, when_known
from ..report.statistics import ClassCount
from ..report.terminal import show_class
from ..report.text import count, name_of
from .class_run import Run
from .console import err, out, say

_NAMED, _LONG = 3, 10.0  # submissions, and seconds of one


def tell_summary(
    run: Run, result: Result, counted: ClassCount, seconds: float, took: Mapping[str, float]
) -> None:
    """The class in a table, how long it took and who took longest, and all remarks on it."""
    show_class(out, counted)
    rate = result.marked / seconds if seconds else 0.0
    marked = f"{count(result.marked, 'submission')} marked in {seconds:.1f} s"
    unchanged = result.submissions - result.marked - len(result.failed)
    say(f"{marked} ({rate:.1f} a second); {unchanged:,} had been marked already.")
    for remark in slowest(took):
        say(remark)
    with Gradebook.open(run.folder) as book:
        unisolated, standing = book.unisolated(), book.standing()
        times, learners = book.times(), [*book.learners()]
        chapters = book.chapters
    for remark in held_to(chapters, counted.other_chapters):
        say(remark)
    others = counted.submissions - result.submissions
    if others:
        say(f"{count(others, 'other submission')} in the gradebook: left as before.")
    if result.elsewhere:
        said = "These names are in another folder too, and the work in this one counts now; of two"
        say(f"{said} people, call one otherwise: {listed(result.elsewhere)}.", err)
    if result.lost:
        said = "These had points for exercises that are not in what they have handed in now, and"
        more = (
            "have none for them any more. Is the rest elsewhere, put both into one folder, or give"
        )
        say(f"{said} {more} each its own --out: {listed(result.lost)}.", err)
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


def slowest(took: Mapping[str, float]) -> list[str]:
    """Who took longest to mark, where that is far longer than others took, and a part of all."""
    marked = {learner: each for learner, each in took.items() if each}
    total = sum(marked.values())
    least = max(_LONG, total / 20, 3 * median_low(marked.values())) if marked else 0.0
    slow = sorted((-each, learner) for learner, each in marked.items() if each >= least)
    if not slow:
        return []
    named = [f"{name_of(learner)} ({-each:.0f} s)" for each, learner in slow[:_NAMED]]
    more = f" and {len(slow) - _NAMED:,} more" if len(slow) > _NAMED else ""
    return [f"Of {total:.0f} s of marking, these took longest: {', '.join(named)}{more}."]
