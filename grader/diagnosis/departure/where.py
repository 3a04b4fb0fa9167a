"""Says to a learner at which of their lines the numbers leave those of right code.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from ...candidate.candidate import Candidate
from ...candidate.message import Place, known, say
from ...candidate.records import Location
from ...course.syllabus import judges_others
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from . import exceptions
from .departed import Departed
from .functions import function_departures, function_exception, function_recordings
from .mended import Passes, mended
from .misfits import Clue
from .modules import (
    as_made,
    misshapen,
    module_departures,
    module_exception,
    module_misfit,
    module_recordings,
    oversized,
    shared,
)
from .slips import slip
from .state_dicts import is_loading, load_astray, load_departures, load_exception, load_recordings
from .told_lines import WHY, clues_told, departure_told, exception_told, mended_told, with_cause
from .unusable import unusable

T = TypeVar("T")

# Where one of these is sure, no change has to be looked for.
_ENOUGH = ("kind", "passed", "rejected", "chance", "spoilt")
_SHARED = say(
    "It puts one and the same layer into two places, so both share their numbers and learn as one. "
    "Should they?"
)


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: where it departs, which to change, or what stood where it raised.

    None where nothing can be said for certain.
    """
    stood = raised(candidate, seed)
    clues = _clues(candidate, seed)
    if told := clues_told([each for each in clues if each.is_sure], candidate, stood):
        return told
    stood = with_cause(stood, clues, candidate)
    module = module_subject(candidate.exercise)
    is_dear = module is not None and module.is_deep  # to make it anew for each change
    departed = _departed(candidate, seed)
    departs = None if departed is None else departure_told(departed, candidate)
    is_sure = departed is not None and departed.why in _ENOUGH and departed.is_sure
    if departed and departs and (is_dear or is_sure):
        return departs
    if passes is None:
        return departs or stood
    likely = []
    if _is_plain(candidate.exercise):  # a module's mistake may stand in how it is made
        likely = [*_lines(departs), *_lines(stood), *_before(candidate, seed)]
    elif is_dear:
        likely = misshapen(candidate, seed)
    one = mended(candidate, seed, passes, likely)
    return (departs or stood) if one is None else mended_told(one, candidate, stood, departs)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    stood = raised(candidate, seed)
    if stood is None:
        return None
    clues = _clues(candidate, seed)
    told = clues_told([each for each in clues if each.is_sure], candidate, stood)
    return told or with_cause(stood, clues, candidate)


def _clues(candidate: Candidate, seed: int) -> list[Clue]:
    """Lines that show by themselves that something is amiss, each for itself."""
    found = [_idle(candidate, seed), _unusable(candidate, seed)]
    if module_subject(candidate.exercise) is not None:
        found.append(_misfit(candidate, seed))
        twice = shared(candidate, seed)
        found.append(None if twice is None else Clue(twice, _SHARED))
        found.append(_oversized(candidate, seed))
    if is_loading(candidate.exercise):
        astray = load_astray(candidate, seed)
        found.append(None if astray is None else Clue(*astray))
    places: dict[Place, Clue] = {}
    for each in found:
        if each is not None:
            places.setdefault(each.statement.place, each)
    return sorted(places.values(), key=lambda each: each.statement.place.line)


def _is_plain(exercise: str) -> bool:
    """Whether it is a function whose own values tell: no judge, and none that loads tensors."""
    is_module = module_subject(exercise) is not None
    return not (is_module or is_loading(exercise) or judges_others(exercise))


def _lines(of: Location | None) -> list[Place]:
    """The lines that it speaks of."""
    return [] if of is None else [Place(of.cell, line) for line in (of.line, *of.sources)]


def _before(candidate: Candidate, seed: int) -> list[Place]:
    """The lines that set what the line that raised works with."""
    found = _what_raised(candidate, seed)
    made = [] if found is None else [found[0].made.get(name) for name in found[0].statement.reads]
    return [statement.place for statement in made if statement is not None]


def located(candidate: Candidate, seed: int) -> Location | None:
    """The line at which it departs; None where that cannot be said."""
    one = _departed(candidate, seed)
    return None if one is None else departure_told(one, candidate)


def _departed(candidate: Candidate, seed: int) -> Departed | None:
    follow = _of_kind(candidate.exercise, function_departures, module_departures, load_departures)
    one = None if follow is None else _agreed(follow(candidate, seed))
    return None if one is None or one.why not in WHY else one


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    found = _what_raised(candidate, seed)
    return None if found is None else exception_told(*found, candidate)


def _what_raised(
    candidate: Candidate, seed: int
) -> tuple[exceptions.Raised, dict[str, int]] | None:
    """The line that raised as it was recorded, and the sizes there."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception, load_exception)
    return None if follow is None else follow(candidate, seed)


def _of_kind(exercise: str, of_function: T, of_module: T, of_loading: T | None = None) -> T | None:
    """What is done with a function, with a module, with what loads; None for what is neither."""
    if is_loading(exercise):
        return of_loading
    if function_subject(exercise) is not None:
        return of_function
    return of_module if module_subject(exercise) is not None else None


def _unusable(candidate: Candidate, seed: int) -> Clue | None:
    """The line that sets a name to what the line that raised cannot use."""
    found = _what_raised(candidate, seed)
    if found is None:
        return None
    is_module = module_subject(candidate.exercise) is not None
    one = unusable(found[0], as_made(candidate) if is_module else None)
    if one is None:
        return None
    made, name = one
    if candidate.redaction is not None and not candidate.redaction.knows(name.rpartition(".")[2]):
        return None
    line = found[0].statement.place.line
    return Clue(
        made, say("It sets {} to what line {} cannot use. What should it be?", known(name), line)
    )


def _oversized(candidate: Candidate, seed: int) -> Clue | None:
    """The line that makes a layer of a size that the config never speaks of."""
    found = oversized(candidate, seed)
    if found is None:
        return None
    statement, size = found
    why = say(
        "The layer that it makes has an axis of {:,}. With the config that is given it should be "
        "far smaller. Where does this number come from?",
        size,
    )
    return Clue(statement, why)


def _misfit(candidate: Candidate, seed: int) -> Clue | None:
    one = module_misfit(candidate, seed)
    if one is None or candidate.redaction is None:
        return one
    return replace(one, why=candidate.redaction.message(one.why))


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    recordings = _of_kind(
        candidate.exercise, function_recordings, module_recordings, load_recordings
    )
    found = None if recordings is None else slip(recordings(candidate, seed))
    return None if found is None else Clue(*found)


def _agreed(found: Sequence[Departed | None]) -> Departed | None:
    """The line that most inputs lead to; None where they do not agree."""
    departed = [each for each in found if each is not None]
    if not departed:
        return None
    lines = Counter((each.statement.place, each.why) for each in departed)
    first, most = lines.most_common(1)[0]
    if 2 * most <= len(found):
        return None
    return next(each for each in departed if (each.statement.place, each.why) == first)
