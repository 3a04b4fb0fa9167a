"""Says in words how far marks can be relied on; knows no surface and no platform."""

from collections.abc import Mapping, Sequence

from ..candidate.records import Doubt, SubmissionMarks
from ..curriculum.syllabus import syllabus
from ..gradebook.entries import Standing
from ..gradebook.times import HandedInAt
from .text import count, name_of

_SHOWN = 40  # names in one sentence
_DOUBTS = {
    Doubt.UNFINISHED: "These marks may be old: the grading of the class has not ended.",
    Doubt.FAILED: "The grader itself failed on this submission: the points say nothing about it.",
    Doubt.ABSENT: "The latest grading run did not find this submission: these marks are older.",
}


def doubts(submission: SubmissionMarks) -> list[str]:
    """What a reader must know before anything else of one submission; names nobody."""
    return [_DOUBTS[doubt] for doubt in submission.doubts]


def incomplete(standing: Standing) -> list[str]:
    """Why marks of the class are missing or may be old; empty where none is."""
    told = []
    if standing.unfinished:
        told.append(
            "A grading run has begun and has not ended (it was interrupted, or still goes on): "
            "marks may be missing or old."
        )
    if standing.failed:
        told.append(
            f"The grader itself failed on {count(len(standing.failed), 'submission')}: "
            f"{listed(standing.failed)}."
        )
    return told


def held_to(chapters: Sequence[str], others: Mapping[str, bool] | None = None) -> list[str]:
    """Which chapters alone count in a gradebook; empty where all do.

    `others`: who handed in something for others, and whether nothing else.
    """
    if not chapters:
        return []
    numbers = ", ".join(name[:2] for name in chapters)
    which = f"Chapters {numbers} alone count" if chapters[1:] else f"Chapter {numbers} alone counts"
    said = f"{which}, as `grader grade --chapters` has said."
    if gone := [name for name in chapters if name not in syllabus().chapters]:
        said += f" The course has no {listed(gone)} any more, of which nothing counts: say it anew."
    if others:
        said += f" {count(len(others), 'learner')} handed in something for other chapters."
        if alone := [learner for learner, nothing_else in others.items() if nothing_else]:
            said += f" Of these, nothing else is there from {listed(alone)}."
    return [said]


def absent(standing: Standing) -> list[str]:
    """Whose marks are older than the latest run, which has not found them."""
    if not standing.absent:
        return []
    told = count(len(standing.absent), "submission")
    return [
        f"{told} of earlier runs, not found by the latest one: {listed(standing.absent)}. "
        "Their marks are kept, but no export has them (without --include-absent) and no total of "
        "the report counts them.",
        *hidden(standing),
    ]


def hidden(standing: Standing) -> list[str]:
    """For whom people set points or wrote, though the latest run has not found them."""
    if not standing.hidden:
        return []
    return [
        f"Points or words by hand stand with {listed(standing.hidden)}, whom the latest run did "
        "not find: they count for nobody. Where the learner goes by another name now, set them "
        "anew."
    ]


def waiting(standing: Standing) -> list[str]:
    """For which answers points by hand wait, as another one counts now."""
    if not standing.waiting:
        return []
    found: dict[str, list[str]] = {}
    for learner, exercise in standing.waiting:
        found.setdefault(learner, []).append(exercise)
    whose = [f"{learner} ({', '.join(exercises)})" for learner, exercises in found.items()]
    gone = sorted({exercise for _, exercise in standing.waiting} - {*syllabus().names})
    return [
        f"Points that a person set were for another answer than the one that counts now, and do "
        f"not count for it: {listed(whose)}. Look at these answers: set their points anew, or take "
        "the old ones back (`grader override --remove`)."
        + (f" The course has no {listed(gone)} any more." if gone else "")
    ]


def alike(standing: Standing) -> list[str]:
    """Who may be taken for one learner."""
    if not standing.alike:
        return []
    # They may look the same: letters other than ASCII are spelt as numbers.
    spelt = (
        [name_of(name.encode("ascii", "backslashreplace").decode()) for name in names]
        for names in standing.alike[:_SHOWN]
    )
    groups = "; ".join(map(" and ".join, spelt))
    more = len(standing.alike) - _SHOWN
    return [
        f"Several submissions have one name: {groups}{f'; and {more:,} more' if more > 0 else ''}. "
        "A platform may find no learner for them, or the wrong one: give each its own name (or put "
        "the files of one learner into one folder) and grade again."
    ]


def listed(learners: Sequence[str]) -> str:
    """Their names; of very many the first ones."""
    more = len(learners) - _SHOWN
    names = ", ".join(map(name_of, learners[:_SHOWN]))
    return f"{names} and {more:,} more" if more > 0 else names


def when_known(learners: Sequence[str], times: Mapping[str, HandedInAt]) -> str:
    """Of how many it is known when they handed in, or that they were late; who is not known."""
    without = [each for each in learners if each not in times or times[each].is_unknown]
    told = {each: times[each] for each in learners if each not in without}
    word = {each: at.late for each, at in told.items() if at.time is None}
    known = [f"when {len(told) - len(word)} of {count(len(learners), 'learner')} handed in"]
    if early := sum(not late for late in word.values()):
        known.append(f"that {early} more were in time")
    if late := [each for each, is_late in word.items() if is_late]:
        known.append(f"that these were late, and not when: {listed(late)}")
    if without:
        known.append(f"nothing of {listed(without)}")
    return f"Known is {'; '.join(known)}."
