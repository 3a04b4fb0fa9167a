"""Names the known mistake that a candidate behaves like, or else the line to look at."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial

from ..candidate.candidate import Candidate
from ..candidate.message import Line, message_of, say
from ..candidate.records import SHORTCUT_TITLE, CheckOutcome, Diagnosis, Location, Mark, Verdict
from .beside_right import picture_beside_right
from .earlier_calls import depends_on_earlier_calls
from .function_diagnosis import diagnose_function
from .locating.location_messages import problem_location
from .locating.where import raised_line, where
from .misconceptions.catalogue import told
from .misconceptions.observed import EARLIER_CALL_COUNTS
from .misconceptions.registry import function_subject, module_subject
from .misconceptions.spot_tries import by_tries

PassesFirst = Callable[[Collection[str]], bool]
_ODD = (RuntimeError, AssertionError, LookupError, ValueError, TypeError, ArithmeticError)


def explained(
    mark: Mark,
    candidate: Candidate,
    seed: int,
    passes: PassesFirst | None = None,
    searches: bool = True,
) -> Mark:
    """The mark with the mistake that it comes of; where none is known, with where to look for it.

    `passes(titles)` runs all checks on the candidate as it is then, those of these titles first.
    Without `searches` a line is told only where it raised something.

    Raises WorkerDied where asking for it ended the worker.
    """
    try:
        found = diagnose(candidate.exercise, candidate, seed)
    except _ODD:  # the mathematics tripped over the answers: there may still be a line to tell
        found = ()

    mark = _drawn(replace(mark, diagnosis=found), candidate, seed)
    if found:
        place = raised_line(candidate, seed) if mark.verdict is Verdict.ERROR else None
        return replace(mark, location=place)
    if not searches:
        return replace(mark, location=raised_line(candidate, seed) or _by_check(mark, candidate))
    failed = [c.title for c in mark.checks if c.outcome is not CheckOutcome.PASSED]
    now_passes = None if passes is None else partial(passes, failed)
    place = where(candidate, seed, now_passes) or _by_check(mark, candidate)
    return replace(mark, location=place, diagnosis=() if place else by_tries(candidate))


def _by_check(mark: Mark, candidate: Candidate) -> Location | None:
    """The line that a check names, where no input of the diagnosis leads to one."""
    for check in mark.checks:
        for _, place in message_of(check.message).places:
            if check.title == SHORTCUT_TITLE:
                line = Line(place.label, place.line)
                message = say("Line {} leaves it to what is ready-made.", line)
                return Location("departs", place.label, place.line, "", message)
            if check.outcome is CheckOutcome.ERROR:
                return problem_location(place, candidate.first_problems.get(place))
    return None


def _drawn(mark: Mark, candidate: Candidate, seed: int) -> Mark:
    """The mark with a picture of a module's wrong values; the first check is of values."""
    module = module_subject(mark.name)
    if module is None or not mark.checks or mark.checks[0].outcome is not CheckOutcome.FAILED:
        return mark
    picture = picture_beside_right(module, candidate, seed, mark.diagnosis)
    return replace(mark, checks=(replace(mark.checks[0], picture=picture), *mark.checks[1:]))


def diagnose(exercise: str, candidate: Candidate, seed: int) -> tuple[Diagnosis, ...]:
    """The misconceptions that reproduce the candidate's behaviour; empty where none does.

    Raises WorkerDied where asking for it ended the worker.
    """
    subject = function_subject(exercise)
    if subject is not None:
        found = diagnose_function(subject, candidate, seed)
        if not found and depends_on_earlier_calls(subject, candidate, seed):
            found = (EARLIER_CALL_COUNTS,)
        return told(found)
    module = module_subject(exercise)
    return () if module is None else told(module.diagnose(module, candidate, seed))
