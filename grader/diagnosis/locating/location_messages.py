"""Puts into words which line is to be looked at, and why; finds none by itself.

Of right code it tells nothing: no value between input and output, no line and no name.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...candidate.failures import Problem
from ...candidate.message import Line, Message, Place, aside, joined, say
from ...candidate.records import Location
from . import exceptions
from .idle_lines import Clue
from .repair_search import Repair

# Whether something is there: what an earlier call has left, maybe.
_OF_A_STATE = re.compile(r"\b(is|in)\b")
_SECOND_CALL = say("When is it true, and when should it be? Ask it of a second call too.")


def clue_message(clues: Sequence[Clue], stood: Location | None) -> Location | None:
    """The first of these lines, and then the others."""
    if not clues:
        return None
    first, *others = clues
    place = first.statement.place
    others = [each for each in others if each.statement.place.label == place.label]
    why = joined("\n", [first.why, *map(_clue_in_words, others)])
    after = tuple(each.statement.place.line for each in others)
    told = _beside(place, first.statement.source, why, stood, after)
    return replace(told, words=first.words) if first.words else told


def repair_message(one: Repair, stood: Location | None) -> Location:
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
    if one.kind == "comparison" and _OF_A_STATE.search(one.part):
        why = joined(" ", [why, _SECOND_CALL])
    return _beside(place, one.source, why, stood, others, one.part)


def exception_message(
    one: exceptions.Raised, sizes: Mapping[str, int], judges: bool = False
) -> Location:
    """The line that raised, with what stood there; of who judges others, that line alone.

    There stands what the implementations answer, the right ones too.
    """
    place, source = one.statement.place, one.statement.source
    if judges:
        told = exceptions.what_raised(one, judges)
        return Location("raised", place.label, place.line, source, told)
    callers = (frame.line for frame in reversed(one.problem.frames[:-1]))
    return Location(
        "raised",
        place.label,
        place.line,
        source,
        exceptions.what_raised(one, judges),
        (*callers, *exceptions.origins(one).values()),
        exceptions.part_that_raised(one),
        exceptions.what_stood(one, sizes),
        exceptions.what_it_means(one),
    )


def by_problem(place: Place, problem: Problem | None) -> Location:
    """The line that raised, where no more is known than what a check has seen of it."""
    if problem is None:
        message = say("Line {} raised it.", Line(place.label, place.line))
        return Location("raised", place.label, place.line, "", message)
    return exception_message(exceptions.by_traceback(problem), {})


def _beside(
    place: Place,
    source: str,
    why: Message,
    stood: Location | None,
    others: tuple[int, ...] = (),
    part: str = "",
) -> Location:
    """A line to look at, and what was raised, where something was; `part` is what to look at."""
    if stood is not None and (stood.cell, stood.line) == (place.label, place.line):
        return replace(stood, message=joined("\n", [stood.message, why]), sources=others)
    message = _line_in_words(place, source, why)
    if stood is None:
        return Location("departs", place.label, place.line, source, message, others, part)
    message = joined("\n", [message, stood.message])
    lines = (*others, stood.line)
    both = part, stood.stood, stood.words
    return Location("departs", place.label, place.line, source, message, lines, *both)


def _clue_in_words(clue: Clue) -> Message:
    return _line_in_words(clue.statement.place, clue.statement.source, clue.why)


def _line_in_words(place: Place, source: str, why: Message) -> Message:
    return say("Line {}: {}\n{}", Line(place.label, place.line), place.quote(source), why)
