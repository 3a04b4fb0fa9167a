"""Puts into words which line is to be looked at, and why; finds none by itself.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Message, Place, joined, known, say
from ...candidate.records import Location
from . import exceptions
from .departed import Departed
from .mended import Mended
from .misfits import Clue
from .recording import RecordedStatement

WHY = {
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
    "passed": say("Only wrong implementations get to this line, and it lets them through."),
    "rejected": say("Only right implementations get to this line, and it turns them away."),
    "caught": say(
        "This line raises an exception although the implementation is right, and the exception "
        "counts as a mistake."
    ),
    "unheeded": say(
        "No other line looks at what comes back. A wrong implementation gives something else here "
        "than right ones do, and this line makes the same of it."
    ),
    "accepted": say(
        "Something in the state dict does not fit, and yet this line is reached. What should have "
        "refused it before?"
    ),
    "chance": say(
        "Called once more with the same arguments, this line gives something else. What comes back "
        "should depend on nothing but the arguments."
    ),
    "asked": say(
        "A wrong implementation gives the right answer to all that is asked from here on, so "
        "nothing that follows can find it out."
    ),
    "open": say(
        "To what is asked from here on, right implementations give different answers: nothing in "
        "the exercise says which."
    ),
    "missed": say(
        "A wrong implementation has answered otherwise than right ones do, and this line, the last "
        "that could tell, lets it through."
    ),
    "turned": say(
        "A right implementation has answered as it should, and this line turns it away all the "
        "same."
    ),
    "gradient": say("Autograd tracks what goes into this line, but not what comes out of it."),
}


_WITH_SOURCES = ("value", "asked", "open", "missed", "turned")


def clues_told(
    clues: Sequence[Clue], candidate: Candidate, stood: Location | None
) -> Location | None:
    """The first of these lines, and then the others."""
    if not clues:
        return None
    first, *others = clues
    place = first.statement.place
    others = [each for each in others if each.statement.place.label == place.label]
    if candidate.redaction is not None:
        others = []
    why = joined("\n", [first.why, *map(_clue_in_words, others)])
    after = tuple(each.statement.place.line for each in others)
    return _beside(place, first.statement.source, why, candidate, stood, after)


def with_cause(
    stood: Location | None, clues: Sequence[Clue], candidate: Candidate
) -> Location | None:
    """What raised, and the line that may be to blame."""
    if stood is None or not clues or candidate.redaction is not None:
        return stood
    message = joined("\n", [stood.message, _clue_in_words(clues[0])])
    line = clues[0].statement.place.line
    return replace(stood, message=message, sources=(*stood.sources, line))


def mended_told(
    one: Mended, candidate: Candidate, stood: Location | None, departs: Location | None
) -> Location | None:
    """The line of which a small change makes all right, and where else to look."""
    place = one.place
    others: tuple[int, ...] = ()
    if one.instead is not None:
        others = (one.instead.line,)
        why = say(
            "With one small change to this line, all checks pass, and with another one to line {} "
            "alone as well. Which of them is not what you mean? Here, look at {}.",
            one.instead.line,
            one.what,
        )
    elif one.also:
        others = one.also
        why = say(
            "With the same small change to this line and to {}, all checks pass. Look at {}.",
            joined(", ", [say("line {}", line) for line in one.also]),
            one.what,
        )
    else:
        why = say(
            "With one small change to this line and to no other, all checks pass. Look at {}.",
            one.what,
        )
        if departs is not None and (departs.cell, departs.line) != (place.label, place.line):
            others = (departs.line,)
            why = say("{} If that is as you mean it, look at line {}.", why, departs.line)
    return _beside(place, one.source, why, candidate, stood, others)


def exception_told(
    one: exceptions.Raised, sizes: Mapping[str, int], candidate: Candidate
) -> Location | None:
    """The line that raised, with what stood there; None where it is not the learner's to read."""
    place, source = one.statement.place, one.statement.source
    if candidate.redaction is not None:
        mine = candidate.redaction.line(place)
        if mine is None:
            return None
        source = mine
    message = exceptions.what_stood(one, candidate, sizes)
    lines = _callers(one, candidate)
    if candidate.redaction is None:
        lines = (*lines, *exceptions.origins(one).values())
    return Location("raised", place.label, place.line, source, message, lines)


def departure_told(one: Departed, candidate: Candidate) -> Location | None:
    """The line at which numbers depart, what was right before, and where to look next."""
    place, source = one.statement.place, one.statement.source
    if not source or one.is_unsure:
        return None
    if candidate.redaction is not None:  # what the worker says of it may be somebody else's
        mine = candidate.redaction.line(place)
        if mine is None:
            return None
        source = known(mine)
    message = say("{}Line {}: {}\n{}", _so_far(one, candidate), place.line, source, WHY[one.why])
    sources = one.sources if one.why in _WITH_SOURCES and candidate.redaction is None else []
    message = joined(" ", [message, *_next(sources)])
    lines = tuple(statement.place.line for statement, _ in sources)
    return Location("departs", place.label, place.line, source, message, lines)


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
    message = _line_in_words(place, source, why)
    if stood is None:
        return Location("departs", place.label, place.line, source, message, others)
    message = joined("\n", [message, stood.message])
    return Location("departs", place.label, place.line, source, message, (*others, stood.line))


def _callers(one: exceptions.Raised, candidate: Candidate) -> tuple[int, ...]:
    """The learner's lines that called it, the nearest first."""
    places = [Place(each.label, each.line) for each in reversed(one.problem.frames[:-1])]
    mine = candidate.redaction
    return tuple(each.line for each in places if mine is None or mine.line(each) is not None)


def _next(sources: Sequence[tuple[RecordedStatement, str]]) -> Iterator[Message]:
    """Where to look then."""
    made = [say("{} (line {})", name, one.place.line) for one, name in sources if name]
    if made:
        yield say("Then look at what goes into it: {}.", joined(", ", made))
    for one in (one for one, name in sources if not name):
        yield say("Is the condition in line {} right?", one.place.line)


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


def _clue_in_words(clue: Clue) -> Message:
    return _line_in_words(clue.statement.place, clue.statement.source, clue.why)


def _line_in_words(place: Place, source: str, why: Message) -> Message:
    return say("Line {}: {}\n{}", place.line, source, why)
