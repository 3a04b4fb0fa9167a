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
from .mended import Mended, Passes, mended
from .misfits import Clue
from .modules import (
    as_made,
    module_departures,
    module_exception,
    module_misfit,
    module_recordings,
    shared,
)
from .recording import RecordedStatement
from .slips import slip
from .state_dicts import is_loading, load_astray, load_departures, load_exception, load_recordings
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
_ENOUGH = (
    "kind",
    "passed",
    "rejected",
    "chance",
    "spoilt",
)  # where it is sure, no change has to be looked for
_SHARED = say(
    "It puts one and the same layer into two places, so both share their numbers and learn as one. "
    "Should they?"
)


def where(candidate: Candidate, seed: int, passes: Passes | None = None) -> Location | None:
    """The line to look at: where it departs, which to change, or what stood where it raised.

    None where nothing can be said for certain.
    """
    stood = raised(candidate, seed)
    clues = _clues(candidate, seed)
    if told := _told([each for each in clues if each.is_sure], candidate, stood):
        return told
    stood = _with_cause(stood, clues, candidate)
    module = module_subject(candidate.exercise)
    is_dear = module is not None and module.is_deep  # to make it anew for each change
    departed = _departed(candidate, seed)
    departs = None if departed is None else _departure(departed, candidate)
    is_sure = departed is not None and departed.why in _ENOUGH and departed.is_sure
    if departed and departs and (is_dear or is_sure):
        return departs
    likely = []
    if _is_plain(candidate.exercise):  # a module's mistake may stand in how it is made
        likely = [*_lines(departs), *_lines(stood), *_before(candidate, seed)]
    one = None if passes is None else mended(candidate, seed, passes, likely)
    return (departs or stood) if one is None else _mended(one, candidate, stood, departs)


def raised_by(candidate: Candidate, seed: int) -> Location | None:
    """Where something raised: the line that shows what it came of, or that itself."""
    stood = raised(candidate, seed)
    if stood is None:
        return None
    clues = _clues(candidate, seed)
    told = _told([each for each in clues if each.is_sure], candidate, stood)
    return told or _with_cause(stood, clues, candidate)


def _clues(candidate: Candidate, seed: int) -> list[Clue]:
    """Lines that show by themselves that something is amiss, each for itself."""
    found = [_idle(candidate, seed), _unusable(candidate, seed)]
    if module_subject(candidate.exercise) is not None:
        found.append(_misfit(candidate, seed))
        twice = shared(candidate, seed)
        found.append(None if twice is None else Clue(twice, _SHARED))
    if is_loading(candidate.exercise):
        astray = load_astray(candidate, seed)
        found.append(None if astray is None else Clue(*astray))
    places: dict[Place, Clue] = {}
    for each in found:
        if each is not None:
            places.setdefault(each.statement.place, each)
    return sorted(places.values(), key=lambda each: each.statement.place.line)


def _told(clues: Sequence[Clue], candidate: Candidate, stood: Location | None) -> Location | None:
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


def _with_cause(
    stood: Location | None, clues: Sequence[Clue], candidate: Candidate
) -> Location | None:
    """What raised, and the line that may be to blame."""
    if stood is None or not clues or candidate.redaction is not None:
        return stood
    message = joined("\n", [stood.message, _clue_in_words(clues[0])])
    line = clues[0].statement.place.line
    return replace(stood, message=message, sources=(*stood.sources, line))


def _clue_in_words(clue: Clue) -> Message:
    return _line_in_words(clue.statement.place, clue.statement.source, clue.why)


def _line_in_words(place: Place, source: str, why: Message) -> Message:
    return say("Line {}: {}\n{}", place.line, source, why)


def _is_plain(exercise: str) -> bool:
    """Whether it is a function whose own values tell: no judge, and none that loads tensors."""
    is_module = module_subject(exercise) is not None
    return not (is_module or is_loading(exercise) or judges_others(exercise))


def _lines(of: Location | None) -> list[Place]:
    """The lines that it speaks of."""
    return [] if of is None else [Place(of.cell, line) for line in (of.line, *of.sources)]


def _before(candidate: Candidate, seed: int) -> list[Place]:
    """The lines that set what the line that raised works with."""
    found = _what_raised(candidate, seed)
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
        if one.also:
            others = joined(", ", [say("line {}", line) for line in one.also])
            why = say(
                "With the same small change to this line and to {}, all checks pass. Look at {}.",
                others,
                one.what,
            )
            return _beside(one.place, one.source, why, candidate, stood, one.also)
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
    follow = _of_kind(candidate.exercise, function_departures, module_departures, load_departures)
    one = None if follow is None else _agreed(follow(candidate, seed))
    return None if one is None or one.why not in _WHY else one


def raised(candidate: Candidate, seed: int) -> Location | None:
    """The line that raised, with what stood there; None where nothing did, or not in a line."""
    found = _what_raised(candidate, seed)
    return None if found is None else _exception(*found, candidate)


def _what_raised(
    candidate: Candidate, seed: int
) -> tuple[exceptions.Raised, dict[str, int]] | None:
    """The line that raised as it was recorded, and the sizes there."""
    follow = _of_kind(candidate.exercise, function_exception, module_exception, load_exception)
    return None if follow is None else follow(candidate, seed)


def _of_kind(exercise: str, of_function: T, of_module: T, of_loading: T | None = None) -> T | None:
    """What is done with a function, with a module, with what loads; None for what is neither."""
    if is_loading(exercise):
        return of_loading
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
    lines = _callers(one, candidate)
    if candidate.redaction is None:
        lines = (*lines, *exceptions.origins(one).values())
    return Location("raised", place.label, place.line, source, message, lines)


def _callers(one: exceptions.Raised, candidate: Candidate) -> tuple[int, ...]:
    """The learner's lines that called it, the nearest first."""
    places = [Place(each.label, each.line) for each in reversed(one.problem.frames[:-1])]
    mine = candidate.redaction
    return tuple(each.line for each in places if mine is None or mine.line(each) is not None)


def _unusable(candidate: Candidate, seed: int) -> Clue | None:
    """The line that sets a name to what the line that raised cannot use."""
    found = _what_raised(candidate, seed)
    if found is None:
        return None
    is_module = module_subject(candidate.exercise) is not None
    one = unusable(found[0], as_made(candidate) if is_module else None)
    if one is None:
        return None
    made, name = one
    if candidate.redaction is not None and not candidate.redaction.knows(name.rpartition(".")[2]):
        return None
    line = found[0].statement.place.line
    return Clue(
        made, say("It sets {} to what line {} cannot use. What should it be?", known(name), line)
    )


def _misfit(candidate: Candidate, seed: int) -> Clue | None:
    one = module_misfit(candidate, seed)
    if one is None or candidate.redaction is None:
        return one
    return replace(one, why=candidate.redaction.message(one.why))


def _idle(candidate: Candidate, seed: int) -> Clue | None:
    recordings = _of_kind(
        candidate.exercise, function_recordings, module_recordings, load_recordings
    )
    found = None if recordings is None else slip(recordings(candidate, seed))
    return None if found is None else Clue(*found)


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
    sources = one.sources if one.why in _WITH_SOURCES and candidate.redaction is None else []
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
