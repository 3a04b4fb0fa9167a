"""Finds the line of which one small change makes all come out right; feedback, never a mark.

The changes are made where the learner's code is. What one changes there, and into what, is never
told: only in which line, and to what kind of thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ...candidate.candidate import Candidate, CandidateError
from ...candidate.message import Message, Place, say
from ...candidate.seeds import generator_for
from ...course.syllabus import judges_others, syllabus
from ...submission import REFERENCE
from ...wall.transport import WorkerDied
from ...worker.trail import MAX_EVENTS
from ..function_diagnosis import OneProbe
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from .functions import called
from .judges import JudgeProspects
from .loading import LoadProspects, is_loading
from .prospects import ModuleProspects
from .recording import RecordedStatement, Recording

_Lines = list[list[str | int]]  # labels and first lines of statements
Passes = Callable[[], bool]  # whether the candidate as it is now passes all checks
_MOST_TRIED = 300  # to make one and to fill it in takes long
_MOST_MORE_TRIED = 200  # where likelier lines have all been tried
_MOST_OF_DEAR = 100  # of modules with several layers
_MOST_MORE = 80  # after one is found
_MOST_CHECKED = 20  # by all checks, which take long
_MOST_OF_RARE = 60  # where only checks show that it is wrong; they stop at the first failure

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
    "text": say("a string"),
    "superfluous": say("something that should go"),
    "missing": say("something that is missing"),
}


@dataclass(frozen=True)
class Mended:
    """A line, and the kind of change to it after which everything is right."""

    place: Place
    source: str
    kind: str
    instead: Place | None = None  # another line, to which another change would do as well
    moved: float = 0.0  # of a judge: the share of what it asks that is another than before

    @property
    def what(self) -> Message:
        """What to look at there, in words that do not give the change away."""
        return WHAT[self.kind]


def mended(candidate: Candidate, seed: int, passes: Passes) -> Mended | None:
    """The first such line, likely slips first; None where no small change makes it right.

    Where changes to two lines do so, nobody can tell which of them is the slip: both are told.
    """
    function = function_subject(candidate.exercise)
    may_be_right: Callable[[], bool]
    ran: Sequence[_Lines | None] = [None]
    judge = None
    if is_loading(candidate.exercise):
        prospects = LoadProspects(candidate, seed)
        may_be_right, ran = prospects.are_there, [_lines_run(prospects.wrong)]
    elif judges_others(candidate.exercise):
        judge = JudgeProspects(candidate)
        may_be_right = judge.are_there
        ran = [None] if judge.lines is None else list(map(_lines_of, judge.lines))
    elif function is not None:
        generator = generator_for(seed, candidate.exercise, "diagnosis")
        one = OneProbe(function, candidate, generator)
        may_be_right = one.is_right
        ran = [None if one.probe is None else _lines_run(called(candidate, one.probe))]
    elif module_subject(candidate.exercise) is not None:
        may_be_right = ModuleProspects(candidate, seed).are_there
    else:
        return None
    module = module_subject(candidate.exercise)
    is_dear = module is not None and module.is_deep
    found: Mended | None = None
    more = _MOST_MORE
    with _altered(candidate, ran) as edits:
        candidate.memory = {}
        if passes():  # as it is: the fault lies with what it calls
            return None
        most = _MOST_OF_RARE if may_be_right() else _MOST_CHECKED
        for number, edit in enumerate(edits):
            candidate.stay_in_time()
            if is_dear and number >= _MOST_OF_DEAR:
                break
            more -= found is not None and not found.moved  # else there may be a smaller change
            if more < 0:
                break
            if (found and edit.place == found.place) or not may_be_right():
                continue
            most -= 1
            if most < 0:
                break
            candidate.memory = {}
            moved = 0.0 if judge is None else judge.moved
            if passes():
                edit = replace(edit, moved=moved)
                if found is None or 2 * edit.moved < found.moved:
                    found = edit
                elif 2 * found.moved >= edit.moved:
                    return replace(found, instead=edit.place)
    return found


def _lines_run(mine: Recording | None) -> _Lines | None:
    """The statements that an input leads through: a change elsewhere changes nothing of it."""
    if mine is None or len(mine.events) >= MAX_EVENTS:
        return None
    return _lines_of(mine.statements[event.statement] for event in mine.events)


def _lines_of(statements: Iterable[RecordedStatement]) -> _Lines:
    places = dict.fromkeys(each.place for each in statements)
    return [[place.label, place.line] for place in places]


@contextmanager
def _altered(candidate: Candidate, ran: Sequence[_Lines | None]) -> Iterator[Iterator[Mended]]:
    """One edit after the other in place of the learner's code; afterwards all is as before.

    `ran`: the lines that may change, some after others; all may where none are given.
    """
    memory, operators = candidate.memory, candidate.operators
    candidate.operators = {}
    try:
        yield _edits(candidate, ran)
    finally:
        candidate.memory, candidate.operators = memory, operators
        _next(candidate, None, is_over=True)


def _edits(candidate: Candidate, ran: Sequence[_Lines | None]) -> Iterator[Mended]:
    for lines, most in zip(ran, (_MOST_TRIED, _MOST_MORE_TRIED), strict=False):
        for _ in range(most):
            found = _next(candidate, lines)
            if found is None:
                break
            yield found
        else:
            _next(candidate, None, is_over=True)


def _next(candidate: Candidate, ran: _Lines | None, is_over: bool = False) -> Mended | None:
    others = [name for name in syllabus().names if name != candidate.exercise]
    wanted = {"exercise": candidate.exercise, "skip": [REFERENCE, *others], "lines": ran}
    try:
        row = candidate.request("alter", **wanted, is_over=is_over)["edit"]
    except (CandidateError, WorkerDied):
        return None
    if row is None:
        return None
    return Mended(Place(row["label"], row["line"]), row["source"], row["kind"])
