"""Finds the line of which one small change makes all come out right; feedback, never a mark.

The changes are made where the learner's code is. What one changes there, and into what, is never
told: only in which line, and to what kind of thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...candidate.candidate import Candidate, CandidateError
from ...candidate.message import Message, Place, say
from ...candidate.seeds import generator_for
from ...course.syllabus import syllabus
from ...submission import REFERENCE
from ...wall.transport import WorkerDied
from ..function_diagnosis import OneProbe
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from .prospects import ModuleProspects

Passes = Callable[[], bool]  # whether the candidate as it is now passes all checks
_MOST_TRIED = 250  # to make one and to fill it in takes long
_MOST_CHECKED = 12  # by all checks, which take long

WHAT = {
    "comparison": say("how it compares"),
    "condition": say("a condition"),
    "number": say("a number or a flag"),
    "bound": say("where a range, a slice or an index begins or ends"),
    "jump": say("where the loop goes on"),
    "name": say("which name stands where"),
    "operator": say("an operator, or on which side of it things stand"),
    "function": say("which function is called"),
    "argument": say("the arguments of a call"),
    "text": say("a text"),
    "superfluous": say("something in it that should not be there"),
    "missing": say("something that should be done there as well"),
}


@dataclass(frozen=True)
class Mended:
    """A line, and the kind of change to it after which everything is right."""

    place: Place
    source: str
    kind: str

    @property
    def what(self) -> Message:
        return WHAT[self.kind]


def mended(candidate: Candidate, seed: int, passes: Passes) -> Mended | None:
    """The first such line, likely slips first; None where no small change makes it right."""
    function = function_subject(candidate.exercise)
    may_be_right: Callable[[], bool]
    if function is not None:
        generator = generator_for(seed, candidate.exercise, "diagnosis")
        may_be_right = OneProbe(function, candidate, generator).is_right
    elif module_subject(candidate.exercise) is not None:
        may_be_right = ModuleProspects(candidate, seed).are_there
    else:
        return None
    checked = 0
    with _altered(candidate) as edits:
        candidate.memory = {}
        if passes():  # as it is: the fault lies with what it calls
            return None
        for edit in edits:
            candidate.stay_in_time()
            if not may_be_right():
                continue
            checked += 1
            if checked > _MOST_CHECKED:
                return None
            candidate.memory = {}
            if passes():
                return edit
    return None


@contextmanager
def _altered(candidate: Candidate) -> Iterator[Iterator[Mended]]:
    """One edit after the other in place of the learner's code; afterwards all is as before."""
    memory, operators = candidate.memory, candidate.operators
    candidate.operators = {}
    try:
        yield _edits(candidate)
    finally:
        candidate.memory, candidate.operators = memory, operators
        _next(candidate, is_over=True)


def _edits(candidate: Candidate) -> Iterator[Mended]:
    for _ in range(_MOST_TRIED):
        found = _next(candidate)
        if found is None:
            return
        yield found


def _next(candidate: Candidate, is_over: bool = False) -> Mended | None:
    others = [name for name in syllabus().names if name != candidate.exercise]
    try:
        row = candidate.request(
            "alter", exercise=candidate.exercise, skip=[REFERENCE, *others], is_over=is_over
        )["edit"]
    except (CandidateError, WorkerDied):
        return None
    if row is None:
        return None
    return Mended(Place(row["label"], row["line"]), row["source"], row["kind"])
