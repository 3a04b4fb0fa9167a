"""Says to a learner at which of their lines to look.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from typing import TypeVar

from ...candidate.candidate import Candidate
from ...candidate.message import Place, known, say
from ...candidate.records import Location
from ...curriculum.references import reference
from ..misconceptions.registry import entry_point, function_subject, module_subject
from . import exceptions
from .bad_operand import bad_operand, shadowed
from .functions import function_exception, function_recordings
from .idle_lines import Clue, gives_back, idle_line, kept_default
from .location_messages import clue_message, exception_message, repair_message
from .modules import (
    as_made,
    module_exception,
    module_recordings,
)
from .repair_search import Passes, find_repair

T = TypeVar("T")


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: one that does nothing, one to change, or what stood where it raised.

    None where nothing can be said for certain. Without `passes` no change is tried.
    """
    stood = raised(candidate, seed)
    if told := clue_message(_clues(candidate, seed), stood):
        return told
    one = None if passes is None else find_repair(candidate, seed, passes)
    return stood if one is None else repair_message(one, stood)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    stood = raised(candidate, seed)
    if stood is None:
        return None
    return clue_message(_clues(candidate, seed), stood) or stood


def _clues(candidate: Candidate, seed: int) -> list[Clue]:
    """Lines that show by themselves that something is amiss, each for itself."""
    found = [_idle(candidate, seed), _unusable(candidate, seed)]
    places: dict[Place, Clue] = {}
    for each in found:
        if each is not None:
            places.setdefault(each.statement.place, each)
    return sorted(places.values(), key=lambda each: each.statement.place.line)


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    found = _what_raised(candidate, seed)
    return None if found is None else exception_message(*found)


def _what_raised(
    candidate: Candidate, seed: int
) -> tuple[exceptions.Raised, dict[str, int]] | None:
    """The line that raised as it was recorded, and the sizes there."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception)
    return None if follow is None else follow(candidate, seed)


def _of_kind(exercise: str, of_function: T, of_module: T) -> T | None:
    """What is done with a function, with a module; None for what is neither."""
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
            say("Here that name is used for a part."),
            say(
                "Every module has a method that is called {}, and self.{} is that method. What "
                "else could this part be called?",
                method,
                method,
            ),
        )
    one = bad_operand(found[0], recording)
    if one is None:
        return None
    made, name = one
    line = found[0].statement.line
    return Clue(made, say("It sets {} to what line {} cannot use. What should it be?", name, line))


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    recordings = _of_kind(candidate.exercise, function_recordings, module_recordings)
    if recordings is None:
        return None
    found = recordings(candidate, seed)
    is_function = module_subject(candidate.exercise) is None
    kept = kept_default(found, reference(candidate.exercise)) if is_function else None
    back = gives_back(found) if entry_point(candidate.exercise) is None else None
    return kept or idle_line(found) or back
