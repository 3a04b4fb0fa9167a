"""Hidden checks of the find-the-mistake exercises: right ones get through, wrong ones do not."""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import Message, joined, known, say
from ...candidate.seeds import generator_for
from ...diagnosis.misconceptions.spotting import TOO_LARGE, Spot, callback, harness
from ...marking.check import Check, put, row
from ...marking.expect import Wrong, wrong
from ...wall.transport import WorkerDied
from ..misconceptions.spot_variants import drawn, made_up
from ..misconceptions.spots import SPOTS

_VARIANTS = 2  # of each mistake
_AT_A_TIME = 3  # of which nobody can tell the odd one out before the third
_MADE_UP = 16  # that answer at random
_NAMED = 3  # mistakes
_LET_THROUGH, _NO_VERDICT = "let through", "no verdict"  # kinds of messages: the first says enough


def _verdict(candidate: Candidate, spot: Spot, seed: int, number: int) -> bool | Message:
    """What the learner's function says of one implementation.

    All are drawn by the seed, and asked about once, in an order drawn anew for each run: a function
    that counts how often it was asked knows nothing by that. Each few are asked about by code that
    was loaded anew, so that nobody judges one by what the others said. No worker sees more of them,
    or it could find out which answers are the usual ones, and tell the next by the time of day.
    """

    def asked() -> dict[int, bool | Message]:
        own = drawn(spot, generator_for(seed, spot.exercise, "variants"))
        odd = made_up(spot, generator_for(seed, spot.exercise, "made up"), _MADE_UP)
        order = _order(own, generator_for(seed, spot.exercise, "order"))
        own, count = replace(own, wrong=(*own.wrong, *odd)), len(order)
        again = candidate.anew or (lambda: nullcontext(candidate))
        # What it raises, the candidate itself knows the line of.
        said = {order[0]: _ask(candidate, own, order[0])}
        for first in range(1, count, _AT_A_TIME):
            with again() as other:
                for index in order[first : first + _AT_A_TIME]:
                    said[index] = _ask(other, own, index)
        return said

    return candidate.once("verdicts", asked)[number]


def _order(spot: Spot, generator: Generator) -> list[int]:
    """An order of all, the made-up ones behind the wrong ones in number.

    The made-up ones stand first, with two right ones among them: who has to hear the others before
    it can tell these apart has erred by then. The right ones are not both among the very first.
    """
    first = len(spot.right) + len(spot.wrong)
    order = torch.randperm(first + _MADE_UP + 1, generator=generator).tolist()
    right = [number for number in order if number < len(spot.right)]
    odd = [number for number in order if first <= number < first + _MADE_UP]
    opening = [*right[:2], *odd]
    mixed = [0, 1]
    while max(mixed.index(0), mixed.index(1)) < _AT_A_TIME:  # else the right ones alone agree
        mixed = torch.randperm(len(opening), generator=generator).tolist()
    return [*(opening[each] for each in mixed), *(each for each in order if each not in opening)]


def _ask(candidate: Candidate, spot: Spot, number: int) -> bool | Message:
    """True or False as the learner's function says; a sentence where it says neither.

    The sentence has nothing in it that the function chose: it could tell what it was asked about.
    """
    try:
        value = candidate.through("grader_spot", callback(spot, number))
    except WorkerDied as died:
        raise WorkerDied(died.kind, died.words, died.at) from None
    except CandidateError as error:
        if error.problem.kind == "not_implemented":
            raise CandidateError(replace(error.problem, message="")) from None
        why = f": {TOO_LARGE}" if TOO_LARGE in error.problem.message else ""
        return say("your function raises an error instead of returning True or False{}", known(why))
    if isinstance(value, Tensor) and value.numel() == 1:
        value = bool(value)
    if value is None:
        return say("your function returns None (is there a return?)")
    if isinstance(value, bool):
        return value
    return say("your function returns neither True nor False")


def _lets_through(spot: Spot) -> Check:
    def test(candidate: Candidate, seed: int) -> None:
        for number in range(len(spot.right)):
            said = _verdict(candidate, spot, seed, number)
            if said is not True:
                raise wrong(
                    "A correct implementation is not let through: {}. Right formulations differ "
                    "in rounding, and in all that nobody promised.",
                    said or say("it is called wrong"),
                )

    title = "It lets every correct implementation through, however it is written."
    source = harness(spot.exercise)
    return row(spot.exercise, title, test, weight=2, essential=True, harness=source)


def _mistake(candidate: Candidate, spot: Spot, seed: int, index: int) -> bool | Message:
    """False where every variant of the mistake is caught; else what is said of one that is not."""
    first = len(spot.right) + _VARIANTS * index
    is_error = index == len(spot.wrong)
    first, count = (first + _MADE_UP, 1) if is_error else (first, _VARIANTS)
    said = [_verdict(candidate, spot, seed, first + each) for each in range(count)]
    return next((one for one in said if one is not False), False)


def _catches_half(spot: Spot) -> Check:
    def test(candidate: Candidate, seed: int) -> None:
        missed = [
            each.mistake
            for index, each in enumerate(spot.wrong)
            if _mistake(candidate, spot, seed, index) is not False
        ]
        if 2 * len(missed) > len(spot.wrong):
            named = joined("; ", [known(each) for each in missed[:_NAMED]])
            raise wrong(
                "Fewer than half of the mistakes are caught. Not caught, for instance: {}. On "
                "which input would each of them show?",
                named,
            )
        odd = len(spot.right) + _VARIANTS * len(spot.wrong)
        if any(_verdict(candidate, spot, seed, odd + each) is True for each in range(_MADE_UP)):
            raise wrong("An implementation is let through that answers something else everywhere.")

    title = "It catches at least half of the mistakes."
    return row(spot.exercise, title, test, weight=2, essential=True)


def _catches(spot: Spot, index: int) -> Check:
    """That of the mistake of that number; behind the last one comes what only raises an error."""
    is_error = index == len(spot.wrong)
    mistake = "" if is_error else spot.wrong[index].mistake

    def test(candidate: Candidate, seed: int) -> None:
        said = _mistake(candidate, spot, seed, index)
        if said is False:
            return
        how = say("it is let through") if said is True else said
        if is_error:
            raise wrong("Asked about an implementation that raises an error, {}.", how)
        this = known(mistake)
        if said is True:  # of one kind, as each check has its mistake as title
            raise Wrong(
                say(
                    "An implementation with this mistake is let through: {}.",
                    this,
                    kind=_LET_THROUGH,
                )
            )
        raise Wrong(say("Asked about this mistake, {}: {}.", how, this, kind=_NO_VERDICT))

    raises = "An implementation that raises an error counts as wrong."
    title = raises if is_error else f"It catches this mistake, large or small: {mistake}."
    return row(spot.exercise, title, test)


def _checks() -> Iterator[tuple[str, Check]]:
    for spot in SPOTS:
        yield f"test_{spot.exercise}_right", _lets_through(spot)
        yield f"test_{spot.exercise}_half", _catches_half(spot)
        for index in range(len(spot.wrong)):
            yield f"test_{spot.exercise}_{index}", _catches(spot, index)
        yield f"test_{spot.exercise}_error", _catches(spot, len(spot.wrong))


put(globals(), _checks())
