"""Says to a learner at which of their lines to look.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from ...candidate.candidate import Candidate
from ...candidate.records import Location
from ...curriculum.syllabus import judges_others
from ..misconceptions.registry import function_subject, module_subject
from .functions import function_exception
from .location_messages import exception_location, repair_location
from .modules import module_exception
from .repair_search import PassesNow, find_repair


def where(candidate: Candidate, seed: int, passes: PassesNow | None = None) -> Location | None:
    """The line to look at: one to change, or the one that raised.

    None where nothing can be said for certain. Without `passes` no change is tried.
    """
    raised = raised_line(candidate, seed)
    one = None if passes is None else find_repair(candidate, seed, passes)
    return raised if one is None else repair_location(one, raised)


def raised_line(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    if function_subject(candidate.exercise) is not None:
        found = function_exception(candidate, seed)
    elif module_subject(candidate.exercise) is not None:
        found = module_exception(candidate, seed)
    else:
        return None
    judges = judges_others(candidate.exercise)
    return None if found is None else exception_location(*found, judges)
