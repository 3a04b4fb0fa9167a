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
from ..interpretation.module_subjects import module_subject
from ..misconceptions.registry import function_subject
from . import exceptions
from .departed import Departed
from .functions import function_departures, function_exception, function_recordings
from .mended import Mended, Passes, mended
from .modules import as_made, module_departures, module_exception, module_recordings, shared
from .recording import RecordedStatement
from .slips import slip
from .unusable import unusable

T = TypeVar("T")
_WHY = {
    "value": say(
        "What goes into this line is right; what comes out is found in no right solution. Look "
        "here first."
    ),
    "alias": say(
        "This line only gives a value a second name. What later lines make of it is found in no "
        "right solution."
    ),
    "turn": say("Here your code takes another branch than right code does on the same input."),
    "spoilt": say("It changes an argument in place, so the caller's own object is changed too."),
    "kind": say("It returns another kind of object than the docstring promises."),
    "gradient": say("Autograd tracks what goes into this line, but not what comes out of it."),
}


_SHARED = say(
    "It puts one and the same layer into two places, so both share their numbers and learn as one. "
    "Should they?"
)


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: where it departs, which to change, or what stood where it raised.

    None where nothing can be said for certain.
    """
    stood = raised(candidate, seed)
    if idle := _idle(candidate, seed):
        statement, why = idle
        return _beside(statement.place, statement.source, why, candidate, stood)
    if unusable := _unusable(candidate, seed):
        made, used = unusable
        why = say("It sets {} to what line {} cannot use. What should it be?", *used)
        return _beside(made.place, made.source, why, candidate, stood)
    module = module_subject(candidate.exercise)
    if module is not None and (twice := shared(candidate, seed)) is not None:
        return _beside(twice.place, twice.source, _SHARED, candidate, stood)
    is_dear = module is not None and module.is_deep  # to make it anew for each change
    departed = _departed(candidate, seed)
    departs = None if departed is None else _departure(departed, candidate)
    if departed and departs and (is_dear or (departed.why == "kind" and departed.is_sure)):
        return departs
    likely = []
    if module is None:  # a module's mistake may stand far from where it shows, in how it is made
        likely = [*_lines(departs), *_lines(stood), *_before(candidate, seed)]
    one = None if passes is None else mended(candidate, seed, passes, likely)
    return (departs or stood) if one is None else _mended(one, candidate, stood, departs)


def _lines(of: Location | None) -> list[Place]:
    """The lines that it speaks of."""
    return [] if of is None else [Place(of.cell, line) for line in (of.line, *of.sources)]


def _before(candidate: Candidate, seed: int) -> list[Place]:
    """The lines that set what the line that raised works with."""
    found = function_exception(candidate, seed)
    made = [] if found is None else [found[0].made.get(name) for name in found[0].statement.reads]
    return [statement.place for statement in made if statement is not None]


def _mended(
    one: Mended, candidate: Candidate, stood: Location | None, departs: Location | None
) -> Location | None:
    if one.instead is None:
        why = say(
            "With one small change to this line and to no other, all checks pass. Look at {}.",
            one.what,
        )
        if departs is None or (departs.cell, departs.line) == (one.place.label, one.place.line):
            return _beside(one.place, one.source, why, candidate, stood)
        why = say("{} If that is as you mean it, look at line {}.", why, departs.line)
        return _beside(one.place, one.source, why, candidate, stood, (departs.line,))
    why = say(
        "With one small change to this line, all checks pass, and with another one to line {} "
        "alone as well. Which of them is not what you mean? Here, look at {}.",
        one.instead.line,
        one.what,
    )
    return _beside(one.place, one.source, why, candidate, stood, (one.instead.line,))


def located(candidate: Candidate, seed: int) -> Location | None:
    """The line at which it departs; None where that cannot be said."""
    one = _departed(candidate, seed)
    return None if one is None else _departure(one, candidate)


def _departed(candidate: Candidate, seed: int) -> Departed | None:
    follow = _of_kind(candidate.exercise, function_departures, module_departures)
    one = None if follow is None else _agreed(follow(candidate, seed))
    return None if one is None or one.why not in _WHY else one


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
    return Location("raised", place.label, place.line, source, message, _callers(one, candidate))


def _callers(one: exceptions.Raised, candidate: Candidate) -> tuple[int, ...]:
    """The learner's lines that called it, the nearest first."""
    places = [Place(each.label, each.line) for each in reversed(one.problem.frames[:-1])]
    mine = candidate.redaction
    return tuple(each.line for each in places if mine is None or mine.line(each) is not None)


def _unusable(candidate: Candidate, seed: int) -> tuple[RecordedStatement, tuple[str, int]] | None:
    """The line that sets a name to what the line that raised cannot use; with both."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception)
    found = None if follow is None else follow(candidate, seed)
    if found is None:
        return None
    is_module = module_subject(candidate.exercise) is not None
    one = unusable(found[0], as_made(candidate) if is_module else None)
    if one is None:
        return None
    made, name = one
    if candidate.redaction is not None and not candidate.redaction.knows(name.rpartition(".")[2]):
        return None
    return made, (known(name), found[0].statement.place.line)


def _idle(candidate: Candidate, seed: int) -> tuple[RecordedStatement, Message] | None:
    recordings = _of_kind(candidate.exercise, function_recordings, module_recordings)
    return None if recordings is None else slip(recordings(candidate, seed))


def _beside(
    place: Place,
    source: str,
    why: Message,
    candidate: Candidate,
    stood: Location | None,
    others: tuple[int, ...] = (),
) -> Location | None:
    """A line to look at, and what was raised, where something was."""
    if candidate.redaction is not None:
        mine = candidate.redaction.line(place)
        if mine is None:
            return stood
        source = known(mine)
    if stood is not None and (stood.cell, stood.line) == (place.label, place.line):
        return replace(stood, message=joined("\n", [stood.message, why]), sources=others)
    message = say("Line {}: {}\n{}", place.line, source, why)
    if stood is None:
        return Location("departs", place.label, place.line, source, message, others)
    message = joined("\n", [message, stood.message])
    return Location("departs", place.label, place.line, source, message, (*others, stood.line))


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
        yield say("Then look at what goes into it: {}.", joined(", ", made))
    for one in (one for one, name in sources if not name):
        yield say("Is the condition in line {} right?", one.place.line)


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
        return say("Up to line {} nothing wrong was found. ", statement.place.line)
    return say("Up to line {} ({}) your numbers are right. ", statement.place.line, name)
