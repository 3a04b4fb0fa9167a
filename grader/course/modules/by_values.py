"""Which mistakes a module's answers are those of: edits that give them, one or several."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from ...diagnosis.interpretation.evidence import Answer, Evidence
from ...diagnosis.interpretation.search import first_wrong, interpret, likeliest
from ...diagnosis.misconceptions.catalogue import Misconception
from ...diagnosis.misconceptions.function_subject import Probe
from ...diagnosis.misconceptions.wrong_turns import NONE, Turns
from ...diagnosis.one_by_one import Hunt, WrongTurn, one_by_one
from ...diagnosis.sameness import distance
from .asked_again import hold_where_mild, with_right_epsilon

_MOST_TRIED, _MOST_OF_STACKS = 500, 400
_FEW_READINGS = 4  # where several mistakes are tried together
_READINGS, _FEW = 8, 4  # tried for each mistake; where several layers make a reading dear
# Where a mistake hides all that a softmax runs over, answers differ by how that is hidden. Where a
# large number is added to the scores, gradients flow through them.
_WAYS_TO_HIDE = tuple(frozenset({way}) for way in ("finite_fill", "hidden_rows_zero"))
_PREFERRED, _ADDED = frozenset({"full_rows_seen"}), frozenset({"fill_added"})
_OFTEN_WITH_OTHERS = ("relu",)  # PyTorch's own layer has it
Shaped = Callable[[Misconception], bool]  # whether one may explain a shape, or an exception


def by_values(evidence: Evidence, shaped: Shaped | None = None) -> tuple[Misconception, ...]:
    """By what the edited reference answers; `shaped`: only these explain a wrong shape."""
    turns = [turn for turn in evidence.subject.misconceptions if turn.error is None]
    if not evidence.cases:
        return ()
    most = _FEW if evidence.subject.is_deep else _READINGS
    for turn in turns if shaped is None else filter(shaped, turns):
        if any(_fits_somehow(evidence, on, most) for on in _ways(evidence, turn)):
            return with_right_epsilon(evidence, (turn,), most)
    return _several(evidence, turns, shaped)


def _several(
    evidence: Evidence, turns: Sequence[Misconception], shaped: Shaped | None
) -> tuple[Misconception, ...]:
    """Several mistakes that together give every answer, found one after the other.

    The single token comes first, on which most mistakes of an attention do not show; then inputs
    without a mask, then those with one.
    """
    first = sorted(turns, key=lambda turn: turn.id not in _OFTEN_WITH_OTHERS)
    ways = [WrongTurn(turn.id, on) for turn in first for on in _ways(evidence, turn)]
    known = {turn.id: turn for turn in turns}
    starts = [way for way in ways if shaped is not None and shaped(known[way.name])]
    if shaped is not None and not starts:
        return ()

    def error(on: Turns, case: int) -> float:
        reading = likeliest(evidence, on)
        if reading is None or (found := reading.expected(on, case)) is None:
            return math.inf
        return 0.0 if reading.fits(on, case) else distance(found, evidence.cases[case][1])

    fit = partial(_fits_somehow, evidence, most=_FEW_READINGS)

    def minimal(on: Turns) -> bool:
        less = (on - way.on for way in ways if way.on & on)
        again = fit(on) and hold_where_mild(evidence, on, _FEW_READINGS)
        return again and not any(map(fit, less))

    most = _MOST_OF_STACKS if evidence.subject.is_deep else _MOST_TRIED
    hunt = Hunt(ways, len(evidence.cases), error, minimal, most)
    names = one_by_one(hunt, starts)
    found = tuple(turn for turn in turns if turn.id in names)
    return with_right_epsilon(evidence, found, _FEW_READINGS) if found else ()


def _ways(evidence: Evidence, turn: Misconception) -> Iterator[Turns]:
    """The edits of a mistake, its other ways, and those in which nothing that is left is hidden."""
    for way in (turn.id, *turn.ways):
        on = frozenset({way})
        yield on
        if _hides_all(evidence, on):
            for more in (*_WAYS_TO_HIDE, _PREFERRED):
                yield on | more


def _hides_all(evidence: Evidence, on: Turns) -> bool:
    """Whether the edited reference has nan in an answer, and all that comes before is right."""
    reading = likeliest(evidence, on)
    for case in range(first_wrong(evidence) or 0, len(evidence.cases)):
        if reading is None or (found := reading.expected(on, case)) is None:
            return False
        if bool(found.isnan().any()):
            return True
        if not reading.fits(on, case):
            return False
    return False


def _fits_somehow(evidence: Evidence, on: Turns, most: int) -> bool:
    """Whether a mistake fits, be what hides put in place of the scores or added to them."""
    found = interpret(evidence, on, most)
    if found is not None and not found.gradients_agree(on) and on & _WAYS_TO_HIDE[0]:
        on |= _ADDED
        found = interpret(evidence, on, most)
    return found is not None and found.gradients_agree(on)


def explaining_shape(evidence: Evidence) -> Shaped | None:
    """Which mistakes may explain the first answer of a wrong shape, or that there is none.

    None where there is no such answer, and where it cannot be told, for no reading of the
    parameters is found.
    """

    def is_possible(on: Turns, probe: Probe, answer: Answer) -> bool:
        reading = likeliest(evidence, on)
        if reading is None:
            return False
        found = evidence.subject.promised(reading.roles, probe, on)
        if found is None or answer.value is None:
            return found is answer.value
        return found.shape == answer.value.shape

    if not evidence.cases or likeliest(evidence, NONE) is None:
        return None
    for case in evidence.pairs:
        if not is_possible(NONE, *case):
            return cache(lambda turn, case=case: is_possible(frozenset({turn.id}), *case))
    return None
