"""Says of which hand-ins a person should look, and why; knows no page and no platform."""

from collections.abc import Iterator

from ..candidate.records import SHORTCUT_TITLE, Doubt, SubmissionMarks, Verdict
from ..gradebook.entries import Standing
from .text import count, name_of, one_line
from .wording import is_idle, some

NOTHING, PARTLY, NOT_GRADED = "nothing found", "partly unread", "not graded"
UNREAD = (NOTHING, PARTLY, NOT_GRADED)  # where marks may be lost
OTHERS_ALONE = "other chapters alone"
_RAN_BADLY = {Verdict.CRASHED: "crashed", Verdict.TIMEOUT: "timed out"}
_SHOWN = 40


def looks(submission: SubmissionMarks, other_chapters: bool = False) -> Iterator[tuple[str, str]]:
    """Each reason once, and what more there is to say of it.

    `other_chapters`: something was handed in for chapters that do not count.
    """
    said = [one_line(problem) for problem in submission.problems]
    more = f" And {count(len(said) - 1, 'more problem')}." if len(said) > 1 else ""
    if Doubt.FAILED in submission.doubts:
        yield NOT_GRADED, "".join(said[:1])
    elif said:
        nothing = all(mark.verdict is Verdict.MISSING for mark in submission.marks)
        yield NOTHING if nothing else PARTLY, f"{said[0]}{more}"
    if other_chapters and all(map(is_idle, submission.marks)):
        yield OTHERS_ALONE, ""
    found: dict[str, list[str]] = {}
    for mark in submission.marks:
        if any(check.title == SHORTCUT_TITLE for check in mark.checks):
            found.setdefault("forbidden call", []).append(mark.name)
        elif mark.verdict in _RAN_BADLY and Doubt.FAILED not in submission.doubts:
            found.setdefault(_RAN_BADLY[mark.verdict], []).append(mark.name)
    for reason, names in found.items():
        yield reason, some(names)


def unread(standing: Standing) -> list[str]:
    """What was handed in and could not be marked in full, a line for each, below one that says so.

    Empty where there is none.
    """
    lines = [
        *(one_line(each) for each in standing.nobodys),
        *(f"{name_of(each)}: {one_line(why)}" for each, why in standing.unread),
    ]
    if not lines:
        return []
    more = len(lines) - _SHOWN
    rest = [f"and {more:,} more, which the report has"] if more > 0 else []
    head = f"Look at these by hand ({count(len(lines), 'hand-in')} not read, or not in full):"
    return [head, *(f"  {line}" for line in (*lines[:_SHOWN], *rest))]
