"""Says to a learner at which of their lines the numbers leave those of right code.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Message, Place, joined, known, say
from ...candidate.records import Location
from ...course.syllabus import judges_others
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from . import exceptions
from .departed import Departed
from .functions import function_departures, function_exception, function_recordings
from .mended import Passes, mended
from .modules import module_departures, module_exception, module_recordings
from .recording import RecordedStatement
from .slips import slip

T = TypeVar("T")
_WHY = {
    "value": say(
        "What it makes stands in no right solution for the same input, and what goes into it does. "
        "Look here first."
    ),
    "alias": say(
        "It gives what is there a second name and changes nothing; what is made of that afterwards "
        "stands in no right solution for the same input."
    ),
    "turn": say("There the code goes another way than right code does with the same input."),
    "spoilt": say(
        "It changes in place what was handed in, and whoever uses that next gets changed numbers."
    ),
    "gradient": say("Gradients have a way back from what goes in, and none from what comes out."),
}


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: where it departs, which to change, or what stood where it raised.

    None where nothing can be said for certain.
    """
    module = module_subject(candidate.exercise)
    is_dear = module is not None and module.is_deep  # to make it anew for each change
    if is_dear and (found := located(candidate, seed)) is not None:
        return found
    stood = raised(candidate, seed)
    if idle := _idle(candidate, seed):
        statement, why = idle
        return _beside(statement.place, statement.source, why, candidate, stood)
    one = None if passes is None else mended(candidate, seed, passes)
    if one is not None:
        return _beside(
            one.place,
            one.source,
            say(
                "With one small change to this line and to no other, all checks pass. Look at {}.",
                one.what,
            ),
            candidate,
            stood,
        )
    return (None if is_dear else located(candidate, seed)) or stood


def located(candidate: Candidate, seed: int) -> Location | None:
    """The line at which it departs; None where that cannot be said.

    Who finds a mistake chooses the inputs: there, what no right code has need not be wrong.
    """
    if judges_others(candidate.exercise):
        return None
    follow = _of_kind(candidate.exercise, function_departures, module_departures)
    one = None if follow is None else _agreed(follow(candidate, seed))
    return None if one is None or one.why not in _WHY else _departure(one, candidate)


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception)
    found = None if follow is None else follow(candidate, seed)
    return None if found is None else _exception(*found, candidate)


def _of_kind(exercise: str, of_function: T, of_module: T) -> T | None:
    """What is done with a function, or with a module; None for what is neither."""
    if function_subject(exercise) is not None:
        return of_function
    return of_module if module_subject(exercise) is not None else None


def _exception(
    one: exceptions.Raised, sizes: Mapping[str, int], candidate: Candidate
) -> Location | None:
    place, source = one.statement.place, one.statement.source
    if candidate.redaction is not None:
        mine = candidate.redaction.line(place)
        if mine is None:
            return None
        source = mine
    message = exceptions.what_stood(one, candidate, sizes)
    return Location("raised", place.label, place.line, source, message)


def _idle(candidate: Candidate, seed: int) -> tuple[RecordedStatement, Message] | None:
    recordings = _of_kind(candidate.exercise, function_recordings, module_recordings)
    return None if recordings is None else slip(recordings(candidate, seed))


def _beside(
    place: Place, source: str, why: Message, candidate: Candidate, stood: Location | None
) -> Location | None:
    """A line to look at, and what was raised, where something was."""
    if candidate.redaction is not None:
        mine = candidate.redaction.line(place)
        if mine is None:
            return stood
        source = known(mine)
    if stood is not None and (stood.cell, stood.line) == (place.label, place.line):
        return replace(stood, message=joined("\n", [stood.message, why]))
    message = say("Line {}: {}\n{}", place.line, source, why)
    if stood is None:
        return Location("departs", place.label, place.line, source, message)
    message = joined("\n", [message, stood.message])
    return Location("departs", place.label, place.line, source, message, (stood.line,))


def _departure(one: Departed, candidate: Candidate) -> Location | None:
    place, source = one.statement.place, one.statement.source
    if not source or one.is_unsure:
        return None
    if candidate.redaction is not None:  # what the worker says of it may be somebody else's
        mine = candidate.redaction.line(place)
        if mine is None:
            return None
        source = known(mine)
    message = say("{}Line {}: {}\n{}", _so_far(one, candidate), place.line, source, _WHY[one.why])
    sources = one.sources if one.why == "value" and candidate.redaction is None else []
    message = joined(" ", [message, *_next(sources)])
    lines = tuple(statement.place.line for statement, _ in sources)
    return Location("departs", place.label, place.line, source, message, lines)


def _next(sources: Sequence[tuple[RecordedStatement, str]]) -> Iterator[Message]:
    """Where to look then."""
    made = [say("{} (line {})", name, one.place.line) for one, name in sources if name]
    if made:
        yield say("Then at what goes into it: {}.", joined(", ", made))
    for one in (one for one, name in sources if not name):
        yield say("Does line {} lead here when it should?", one.place.line)


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


def _so_far(one: Departed, candidate: Candidate) -> Message:
    """What was still right before."""
    if one.before is None:
        return known("")
    event = one.recording.events[one.before]
    statement = one.recording.statements[event.statement]
    if statement.place == one.statement.place or event.kind == "call":
        return known("")
    if candidate.redaction is not None and candidate.redaction.line(statement.place) is None:
        return known("")
    name = next((n for n in statement.sets if isinstance(event.writes.get(n), Tensor)), "")
    if not name or candidate.redaction is not None:
        return say("Up to line {} nothing is wrong. ", statement.place.line)
    return say("Up to line {} ({}) your numbers are right. ", statement.place.line, name)
