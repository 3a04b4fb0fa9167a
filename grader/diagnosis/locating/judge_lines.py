"""The line from which a judge of implementations errs, where no small change to a line mends it."""

from __future__ import annotations

from collections import Counter

from ...candidate.candidate import Candidate
from ...candidate.message import say
from ...worker.trail import MAX_EVENTS, RETURN
from .idle_lines import Clue
from .judges import ASKED, HEARD, Judged, called_here, errors, fault, recorded
from .recording import RecordedStatement, Recording

_MOST_RECORDED = 3  # on which it errs
_CONSTANTS = ("return True", "return False")
_LOOKS = ("if ", "elif ", "assert ")
_WHY = {  # by what its mistake is in, and whether the implementation is right
    (ASKED, False): say(
        "A wrong implementation gives right answers to all that is asked from here on, and so it "
        "is let through. What else could it be asked?"
    ),
    (ASKED, True): say(
        "To what is asked from here on, right implementations give different answers: nothing in "
        "the exercise says which."
    ),
    (HEARD, False): say(
        "By this line, a wrong implementation has given another answer than right ones do, and it "
        "is let through all the same."
    ),
    (HEARD, True): say(
        "A right implementation has answered as it should, and this line turns it away all the "
        "same."
    ),
}


def judge_line(candidate: Candidate) -> Clue | None:
    """The line that asks what does not tell, or says what the answers did not say.

    None where it gives no verdict, or where what it errs on leads to different lines.
    """
    wrong = errors(candidate)
    if not all(one.is_verdict for one in wrong) or len({one.said for one in wrong}) != 1:
        return None
    found = [_of(candidate, one) for one in wrong[:_MOST_RECORDED]]
    clues = [each for each in found if each is not None]
    if not clues:
        return None
    places = Counter(each.statement.place for each in clues)
    place, times = places.most_common(1)[0]
    if 2 * times <= len(found):
        return None
    return next(each for each in clues if each.statement.place == place)


def _of(candidate: Candidate, one: Judged) -> Clue | None:
    """The line for one implementation that it errs on."""
    cause, mine = fault(candidate, one), recorded(candidate, one)
    if cause is None or mine is None or len(mine.events) >= MAX_EVENTS:
        return None
    statement = _last_look(mine) if cause == HEARD else _first_question(mine)
    return None if statement is None else Clue(statement, _WHY[cause, one.is_right])


def _first_question(mine: Recording) -> RecordedStatement | None:
    """The first line that works with what is judged."""
    held: set[str] = set()
    for event in mine.events:
        statement = mine.statements[event.statement]
        if event.kind != "call" and not held.isdisjoint(statement.reads):
            return statement
        held |= called_here(event)
    return None


def _last_look(mine: Recording) -> RecordedStatement | None:
    """The line that gives the verdict; of a constant one, the last condition before."""
    ends = [i for i, each in enumerate(mine.events) if each.kind == "return" and not each.caller]
    if not ends or RETURN not in mine.events[ends[0]].writes:
        return None
    end = mine.statements[mine.events[ends[0]].statement]
    if end.source not in _CONSTANTS:
        return end
    before = [mine.statements[each.statement] for each in mine.events[: ends[0]]]
    return next((each for each in reversed(before) if each.source.startswith(_LOOKS)), None)
