"""Says to a learner at which of their lines the numbers leave those of right code.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from ...candidate.candidate import Candidate
from ...candidate.message import Place, known, say
from ...candidate.records import Location
from ...course.references import reference
from ...course.syllabus import judges_others
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from . import exceptions
from .departed import Departed
from .functions import function_departures, function_exception, function_recordings
from .mended import Passes, mended
from .modules import (
    as_made,
    misshapen,
    module_departures,
    module_exception,
    module_recordings,
)
from .slips import Clue, kept_default, slip
from .state_dicts import is_loading, load_exception, load_recordings
from .told_lines import WHY, clues_told, departure_told, exception_told, mended_told
from .unusable import shadowed, unusable

T = TypeVar("T")

# Where one of these is sure, no change has to be looked for.
_ENOUGH = ("kind", "chance")


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: where it departs, which to change, or what stood where it raised.

    None where nothing can be said for certain.
    """
    stood = raised(candidate, seed)
    if told := clues_told(_clues(candidate, seed), stood):
        return told
    module = module_subject(candidate.exercise)
    is_dear = module is not None and module.is_deep  # to make it anew for each change
    departed = _departed(candidate, seed)
    departs = None if departed is None else departure_told(departed)
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
    return (departs or stood) if one is None else mended_told(one, stood)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    stood = raised(candidate, seed)
    if stood is None:
        return None
    return clues_told(_clues(candidate, seed), stood) or stood


def _clues(candidate: Candidate, seed: int) -> list[Clue]:
    """Lines that show by themselves that something is amiss, each for itself."""
    found = [_idle(candidate, seed), _unusable(candidate, seed)]
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
    return None if one is None else departure_told(one)


def _departed(candidate: Candidate, seed: int) -> Departed | None:
    follow = _of_kind(candidate.exercise, function_departures, module_departures)
    one = None if follow is None else _agreed(follow(candidate, seed))
    return None if one is None or one.why not in WHY else one


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    found = _what_raised(candidate, seed)
    return None if found is None else exception_told(*found)


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
    recording = as_made(candidate) if is_module else None
    if (part := shadowed(found[0], recording)) is not None:
        setting, method = part[0], known(part[1])
        return Clue(
            setting,
            say(
                "Every module has a method that is called {}, and self.{} is that method. What "
                "else could this part be called?",
                method,
                method,
            ),
        )
    one = unusable(found[0], recording)
    if one is None:
        return None
    made, name = one
    line = found[0].statement.line
    return Clue(made, say("It sets {} to what line {} cannot use. What should it be?", name, line))


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    recordings = _of_kind(
        candidate.exercise, function_recordings, module_recordings, load_recordings
    )
    if recordings is None:
        return None
    found = recordings(candidate, seed)
    is_function = _is_plain(candidate.exercise)
    kept = kept_default(found, reference(candidate.exercise)) if is_function else None
    return kept or slip(found)


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
