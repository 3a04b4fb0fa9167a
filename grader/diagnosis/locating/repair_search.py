"""Finds the line of which one small change makes all come out right; feedback, never a mark.

The changes are made where the learner's code is. What one changes there, and into what, is never
told: only in which line, and to what kind of thing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from torch import Tensor
from torch.utils._pytree import tree_leaves

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import Choice, Place
from ...candidate.seeds import generator_for
from ...curriculum.references import reference
from ...wall.transport import WorkerDied
from ...worker.values import Callback, Config
from ..interpretation.behaviour import AS_WRITTEN
from ..misconceptions.function_subject import Probe
from ..misconceptions.registry import function_subject, module_subject
from .functions import called
from .recording import Recording, skipped
from .repair_filter import FunctionFilter, ModuleFilter

_Lines = list[list[str | int]]  # labels and first lines of statements
PassesNow = Callable[[], bool]  # whether the candidate as it is now passes all checks
# To make one and to fill it in takes long.
_MOST_OF_FUNCTIONS = 3_000  # a change takes a third of a millisecond
_LONG = 50  # statements that an input leads through: with more, a change takes longer
_MOST_OF_LARGE = 60  # of functions that are given many numbers: some code takes each by itself
_LARGE = 5_000  # numbers
_MOST_OF_JUDGES = 1_000  # of what is given a function of ours, which it may call very often
_MOST_OF_MANY, _MANY = 150, 20  # of what is given more tensors: a whole model's
_MOST_OF_MODULES = 500
_MOST_OF_DEEP = 130  # of modules with several layers
_MOST_MORE = 400  # after one is found
_MOST_OF_UNSEEN_MODULES = 40
_MOST_OF_UNSEEN = 500  # where only checks show that it is wrong; they stop at the first failure

# Texts that a docstring speaks of: in quotation marks, in brackets, with underscores, short names.
_TEXTS = re.compile(r'"[^"\n]{1,20}"|\[[A-Z]+\]|\b[a-z]+(?:_[a-z]+)+\b|\b[A-Z][A-Za-z]{1,3}\b')
_FIRST_AT_ONCE, _MOST_AT_ONCE = 4, 32  # changes that are asked for at once

WHAT = {
    "comparison": "the comparison",
    "condition": "a condition",
    "number": "a number or a flag",
    "size": "a number that is the same whatever is given",
    "bound": "where a range, a slice or an index begins or ends",
    "name": "which name stands where",
    "function": "which function is called",
    "argument": "the arguments of a call",
    "text": "a string",
    "operator": "what is done with the two parts, or at what ends a loop's turn",
    "in place": "what happens to what this name stood for before",
    "superfluous": "a step that may be one too many",
    "missing": "what may be missing",
    "place": "where it stands",
}


@dataclass(frozen=True)
class Repair:
    """A line, and the kind of change to it after which everything is right."""

    place: Place
    source: str
    kind: str
    also: tuple[int, ...] = ()  # lines of the same file, with the same change
    instead: Place | None = None  # another line, to which another change would do as well
    part: str = ""  # of the line: what is changed

    @property
    def what(self) -> Choice:
        """What to look at there, in words that do not give the change away."""
        return Choice(WHAT[self.kind], len(WHAT))


# A change, what it answered to the filter's `asks`, and what puts it there again.
_Change = tuple[Repair, list[Any], Callable[[], None]]


def find_repair(candidate: Candidate, seed: int, passes: PassesNow) -> Repair | None:
    """The first such line, likely slips first; None where no small change makes it right.

    The candidate fails a check as it is, and `passes` says whether it does so when it is asked.
    Where changes to two lines do so, both lines are told.
    """
    plan = _plan(candidate, seed, passes)
    if plan is None:
        return None
    found: list[Repair] = []
    with _edited(candidate, plan) as changes, suppress(WorkerDied):  # by a change
        _first_two_repairs(candidate, plan, changes, passes, found)
    if len(found) < 2:
        return found[0] if found else None
    return replace(found[0], instead=found[1].place)


def _first_two_repairs(
    candidate: Candidate,
    plan: _Plan,
    changes: Iterator[_Change],
    passes: PassesNow,
    found: list[Repair],
) -> None:
    """Puts into `found` the change after which all is right, and one elsewhere that does as well.

    Raises WorkerDied where a change ends the worker; what is found by then stays.
    """
    more, most = _MOST_MORE, plan.checked.first
    if plan.filter.is_unseen():
        if passes():  # as it is: the fault lies with what it calls
            return
        most = plan.most_if_unseen
    for repair, answers, choose in changes:
        candidate.stay_in_time()
        more -= bool(found)
        if more < 0:
            return
        if (found and repair.place == found[0].place) or not plan.filter.may_pass(answers):
            continue
        choose()
        candidate.forget(but=AS_WRITTEN)
        if not plan.filter.may_pass_now():
            continue
        most -= 1
        if most < 0:
            return
        if not passes():
            continue
        found.append(repair)
        if len(found) > 1:
            return
        most = min(most, plan.checked.second)


@dataclass(frozen=True)
class _Bounds:
    """How many changes all checks are run on, which takes long."""

    first: int = 20  # until one is right
    second: int = 12  # and from then on


_IN_DEEP = _Bounds(first=10, second=6)


@dataclass(frozen=True)
class _Plan:
    """What is tried, and what shows cheaply that a change is of no use."""

    filter: FunctionFilter | ModuleFilter
    lines: _Lines | None  # that may change, if not all may
    most_tried: int  # changes
    most_if_unseen: int = _MOST_OF_UNSEEN
    checked: _Bounds = _Bounds()


def _plan(candidate: Candidate, seed: int, passes: PassesNow) -> _Plan | None:
    exercise = candidate.exercise
    if (subject := function_subject(exercise)) is not None:
        one = FunctionFilter(candidate, seed, passes)
        ran = None if one.probe is None else _lines_run(called(candidate, one.probe))
        most = min(map(_most_tried, subject.probes(generator_for(seed, exercise, "sizes"))))
        most = most * _LONG // max(_LONG, len(ran or ()))
        return _Plan(one, ran, most, min(most, _MOST_OF_UNSEEN))
    if (module := module_subject(exercise)) is not None:
        bounds = _IN_DEEP if module.is_deep else _Bounds()
        made = ModuleFilter(candidate, seed)
        most = _MOST_OF_DEEP if module.is_deep else _MOST_OF_MODULES
        if_unseen = _MOST_OF_UNSEEN_MODULES if made.tells else bounds.first
        return _Plan(made, None, most, if_unseen, bounds)
    return None


def _most_tried(probe: Probe) -> int:
    """How many changes are tried with such an input."""
    parts = tree_leaves(probe.args)
    if any(isinstance(each, Callback) for each in parts):
        return _MOST_OF_JUDGES
    tensors = [each for each in parts if isinstance(each, Tensor)]
    if sum(each.numel() for each in tensors) > _LARGE:
        return _MOST_OF_LARGE
    return _MOST_OF_MANY if len(tensors) > _MANY else _MOST_OF_FUNCTIONS


def _lines_run(mine: Recording | None) -> _Lines | None:
    """The statements that an input leads through: a change elsewhere changes nothing of it."""
    if mine is None or mine.is_cut:
        return None
    places = dict.fromkeys(each.place for each in mine.statements)
    return [[place.label, place.line] for place in places]


def _contract(exercise: str) -> dict[str, Any]:
    """What the exercise's own docstring and signature say: texts, sizes, what it is about."""
    right = reference(exercise)
    texts = [text.strip('"') for text in _TEXTS.findall(inspect.getdoc(right) or "")]
    signature = inspect.signature(right)
    module = module_subject(exercise)
    made_with = () if module is None else module.arguments
    fields = [pair for one in made_with if isinstance(one, Config) for pair in one.fields.items()]
    sizes = {name: size for name, size in fields if type(size) is int and size > 1}
    # Small ones first: with a large one in its place, a stack may take long to make.
    names = sorted(sizes, key=lambda name: (sizes[name], name))
    hints = {"texts": list(dict.fromkeys(texts)), "sizes": names}
    return {**hints, "has_tensors": isinstance(right, type) or "Tensor" in str(signature)}


@contextmanager
def _edited(candidate: Candidate, plan: _Plan) -> Iterator[Iterator[_Change]]:
    """One edit after the other in place of the learner's code; afterwards all is as before."""
    exercise = candidate.exercise
    hints = {"skip": skipped(exercise), "lines": plan.lines, **_contract(exercise)}
    try:
        with candidate.changed():
            yield _changes(candidate, plan, hints)
    finally:
        _next(candidate, plan, hints, 0)


def _changes(candidate: Candidate, plan: _Plan, hints: Mapping[str, Any]) -> Iterator[_Change]:
    # Few at first, as the likely ones come first; one at once, where more has to be asked.
    asks, left = plan.filter.asks, plan.most_tried
    at_once = _FIRST_AT_ONCE if asks else 1
    while left > 0:
        found = _next(candidate, plan, hints, min(left, at_once))
        if not found:
            return
        for index, (row, answers) in enumerate(found):
            place, also = Place(row["label"], row["line"]), tuple(row["also"])
            repair = Repair(place, row["source"], row["kind"], also, part=row["part"])
            yield repair, answers, partial(_choose, candidate, index)
        left -= len(found)
        at_once = min(2 * at_once, _MOST_AT_ONCE) if asks else 1


def _next(
    candidate: Candidate, plan: _Plan, hints: Mapping[str, Any], most: int
) -> list[tuple[dict[str, Any], list[Any]]]:
    """The next changes; with none wanted, the exercise is as it was."""
    try:
        return candidate.edited(plan.filter.asks, most, **hints)
    except (CandidateError, WorkerDied):
        return []


def _choose(candidate: Candidate, index: int) -> None:
    candidate.request("choose", index=index)
