"""Puts into words which line is to be looked at, and why; finds none by itself.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

from collections.abc import Mapping
from dataclasses import replace

from ...candidate.failures import Problem
from ...candidate.message import Line, Message, Place, aside, joined, say
from ...candidate.records import Location
from . import exceptions
from .recording import Raised
from .repair_search import Repair


def repair_location(one: Repair, raised: Location | None) -> Location:
    """The line of which a small change makes all right."""
    place = one.place
    others: tuple[int, ...] = ()
    if one.instead is not None:
        others = (one.instead.line,)
        why = say(
            "With one small change to this line, all checks pass, and with another one to line {} "
            "alone as well. Which of them is not what you mean? Here, look at {}.",
            Line(one.instead.label, one.instead.line),
            one.what,
        )
    elif one.also:
        others = one.also
        why = say(
            "With the same small change to this line and to {}, all checks pass. Look at {}.",
            joined(", ", [aside("line {}", Line(place.label, line)) for line in one.also]),
            one.what,
        )
    else:
        why = say(
            "With one small change to this line, and to nothing else, all checks pass. Look at {}.",
            one.what,
        )
    return _beside(place, one.source, why, raised, others, one.part)


def exception_location(one: Raised, sizes: Mapping[str, int], judges: bool = False) -> Location:
    """The line that raised, with what its names held; of code that judges others, the line alone.

    Its names hold what the implementations answer, the right ones too.
    """
    place, source = one.statement.place, one.statement.source
    message = exceptions.what_raised(one, judges)
    line = Location("raised", place.label, place.line, source, message)
    if judges:
        return line
    callers = (frame.line for frame in reversed(one.problem.frames[:-1]))
    return replace(
        line,
        sources=(*callers, *exceptions.origins(one).values()),
        part=exceptions.part_that_raised(one),
        stood=exceptions.what_stood(one, sizes),
        words=exceptions.what_it_means(one),
    )


def problem_location(place: Place, problem: Problem | None) -> Location:
    """The line that raised, where no more is known than what a check has seen of it."""
    if problem is None:
        message = say("Line {} raised it.", Line(place.label, place.line))
        return Location("raised", place.label, place.line, "", message)
    return exception_location(exceptions.by_traceback(problem), {})


def _beside(
    place: Place,
    source: str,
    why: Message,
    raised: Location | None,
    others: tuple[int, ...] = (),
    part: str = "",
) -> Location:
    """A line to look at, and below it the line that raised; `part` is what to look at there."""
    if raised is not None and (raised.cell, raised.line) == (place.label, place.line):
        return replace(raised, message=joined("\n", [raised.message, why]), sources=others)
    message = _line_in_words(place, source, why)
    line = Location("departs", place.label, place.line, source, message, others, part)
    if raised is None:
        return line
    message, lines = joined("\n", [message, raised.message]), (*others, raised.line)
    return replace(line, message=message, sources=lines, stood=raised.stood, words=raised.words)


def _line_in_words(place: Place, source: str, why: Message) -> Message:
    return say("Line {}: {}\n{}", Line(place.label, place.line), place.quote(source), why)
