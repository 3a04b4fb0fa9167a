"""Says to a learner at which of their lines to look.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from typing import TypeVar

from torch.nn import Module

from ...candidate.candidate import Candidate
from ...candidate.message import Choice, Place, say
from ...candidate.records import Location
from ...curriculum.references import reference
from ...curriculum.syllabus import judges_others
from ..misconceptions.registry import entry_point, function_subject, module_subject
from . import exceptions
from .functions import function_exception, function_recordings
from .idle_lines import Clue, gives_back, idle_line, kept_default
from .location_messages import clue_location, exception_location, repair_location
from .modules import as_made, module_exception, module_recordings
from .repair_search import Passes, find_repair
from .shadowed import shadowed

T = TypeVar("T")


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: one that does nothing, one to change, or the one that raised.

    None where nothing can be said for certain. Without `passes` no change is tried.
    """
    raised = raised_line(candidate, seed)
    if told := clue_location(_clues(candidate, seed), raised):
        return told
    one = None if passes is None else find_repair(candidate, seed, passes)
    return raised if one is None else repair_location(one, raised)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    raised = raised_line(candidate, seed)
    if raised is None:
        return None
    return clue_location(_clues(candidate, seed), raised) or raised


def _clues(candidate: Candidate, seed: int) -> list[Clue]:
    """Lines that show by themselves that something is amiss, each for itself."""
    found = [_idle(candidate, seed), _shadowing(candidate, seed)]
    places: dict[Place, Clue] = {}
    for each in found:
        if each is not None:
            places.setdefault(each.statement.place, each)
    return sorted(places.values(), key=lambda each: each.statement.place.line)


def raised_line(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    found = _recorded_exception(candidate, seed)
    judges = judges_others(candidate.exercise)
    return None if found is None else exception_location(*found, judges)


def _recorded_exception(
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


def _shadowing(candidate: Candidate, seed: int) -> Clue | None:
    """The line that gives a part the name of a method, where another line calls that."""
    found = _recorded_exception(candidate, seed)
    if found is None or module_subject(candidate.exercise) is None:
        return None
    part = shadowed(found[0], as_made(candidate))
    if part is None:
        return None
    method = Choice(part[1], len(dir(Module)))
    return Clue(
        part[0],
        say("Here that name is used for a part."),
        say(
            "Every module has a method that is called {}, and self.{} is that method. What else "
            "could this part be called?",
            method,
            method,
        ),
    )


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    recordings = _of_kind(candidate.exercise, function_recordings, module_recordings)
    if recordings is None:
        return None
    found = recordings(candidate, seed)
    is_function = module_subject(candidate.exercise) is None
    kept = kept_default(found, reference(candidate.exercise)) if is_function else None
    back = gives_back(found) if entry_point(candidate.exercise) is None else None
    return kept or idle_line(found) or back
