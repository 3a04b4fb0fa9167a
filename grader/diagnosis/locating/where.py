"""Says to a learner at which of their lines to look.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from typing import TypeVar

from ...candidate.candidate import Candidate
from ...candidate.records import Location
from ...curriculum.references import reference
from ..misconceptions.registry import entry_point, function_subject, module_subject
from .functions import function_exception, function_recordings
from .idle_lines import Clue, gives_back, idle_line, kept_default
from .location_messages import clue_message, exception_message, repair_message
from .modules import module_exception, module_recordings
from .repair_search import Passes, find_repair

T = TypeVar("T")


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: one that does nothing, one to change, or what stood where it raised.

    None where nothing can be said for certain. Without `passes` no change is tried.
    """
    stood = raised(candidate, seed)
    if clue := _idle(candidate, seed):
        return clue_message(clue, stood)
    one = None if passes is None else find_repair(candidate, seed, passes)
    return stood if one is None else repair_message(one, stood)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    stood = raised(candidate, seed)
    clue = None if stood is None else _idle(candidate, seed)
    return stood if clue is None else clue_message(clue, stood)


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception)
    found = None if follow is None else follow(candidate, seed)
    return None if found is None else exception_message(*found)


def _of_kind(exercise: str, of_function: T, of_module: T) -> T | None:
    """What is done with a function, with a module; None for what is neither."""
    if function_subject(exercise) is not None:
        return of_function
    return of_module if module_subject(exercise) is not None else None


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    """A line that shows by itself that something is amiss."""
    recordings = _of_kind(candidate.exercise, function_recordings, module_recordings)
    if recordings is None:
        return None
    found = recordings(candidate, seed)
    is_function = module_subject(candidate.exercise) is None
    kept = kept_default(found, reference(candidate.exercise)) if is_function else None
    back = gives_back(found) if entry_point(candidate.exercise) is None else None
    return kept or idle_line(found) or back
