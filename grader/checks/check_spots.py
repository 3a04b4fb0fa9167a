"""Hidden checks of the find-the-mistake exercises: right ones get through, wrong ones do not."""

from collections.abc import Callable

import torch
from torch import Tensor

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError
from ..candidate.message import Message, say
from ..candidate.seeds import generator_for
from ..diagnosis.facts import kind_of
from ..diagnosis.misconceptions.spots import SPOTS, Spot
from ..diagnosis.misconceptions.spotting import callback, harness
from . import check
from .expect import wrong

Check = Callable[[Candidate, int], None]


def _verdict(candidate: Candidate, spot: Spot, seed: int, number: int) -> bool | Message:
    """What the learner's function says of one implementation.

    All are asked about once, in an order drawn anew for each run: a function that counts how often
    it was asked knows nothing by that.
    """

    def asked() -> dict[int, bool | Message]:
        count = len(spot.right) + len(spot.wrong) + 1
        generator = generator_for(seed, spot.exercise, "order")
        order = torch.randperm(count, generator=generator).tolist()
        return {index: _ask(candidate, spot, index) for index in order}

    return candidate.once("verdicts", asked)[number]


def _ask(candidate: Candidate, spot: Spot, number: int) -> bool | Message:
    """True or False as the learner's function says; a sentence where it says neither."""
    try:
        value = candidate.through("grader_spot", callback(spot, number))
    except CandidateError as error:
        if error.problem.kind == "not_implemented":
            raise
        return say("it raises {}", error.problem.summary())
    if isinstance(value, Tensor) and value.numel() == 1:
        value = bool(value)
    return value if isinstance(value, bool) else say("it returns {}", kind_of(value))


def _lets_through(spot: Spot) -> Check:
    def test(candidate: Candidate, seed: int) -> None:
        for number in range(len(spot.right)):
            said = _verdict(candidate, spot, seed, number)
            if said is not True:
                raise wrong(
                    "Correct implementation {} of {} is not let through: {}. Right "
                    "formulations differ in rounding, and each keeps what was promised.",
                    number + 1,
                    len(spot.right),
                    said or say("it is called wrong"),
                )

    test.__doc__ = "It lets every correct implementation through, however it is written."
    return check(spot.exercise, weight=2, essential=True, harness=harness(spot.exercise))(test)


def _catches_half(spot: Spot) -> Check:
    def test(candidate: Candidate, seed: int) -> None:
        first = len(spot.right)
        said = [_verdict(candidate, spot, seed, first + index) for index in range(len(spot.wrong))]
        caught = sum(1 for one in said if one is False)
        if 2 * caught < len(said):
            raise wrong(
                "{} of {} wrong implementations are caught. The other checks name the mistakes: on "
                "which input would each of them show?",
                caught,
                len(said),
            )

    test.__doc__ = "It catches at least half of the wrong implementations."
    return check(spot.exercise, weight=2, essential=True)(test)


def _catches(spot: Spot, index: int) -> Check:
    """That of the mistake of that number; behind the last one comes what only raises an error."""
    is_error = index == len(spot.wrong)

    def test(candidate: Candidate, seed: int) -> None:
        said = _verdict(candidate, spot, seed, len(spot.right) + index)
        if said is False:
            return
        how = say("it is let through") if said is True else said
        if is_error:
            raise wrong("An implementation that raises an error is a wrong one: {}.", how)
        raise wrong("With this mistake in it, {}.", how)

    test.__doc__ = "An implementation that raises an error counts as wrong."
    if not is_error:
        test.__doc__ = f"It catches the mistake: {spot.wrong[index].mistake}."
    return check(spot.exercise)(test)


for _spot in SPOTS:
    globals()[f"test_{_spot.exercise}_right"] = _lets_through(_spot)
    globals()[f"test_{_spot.exercise}_half"] = _catches_half(_spot)
    for _index in range(len(_spot.wrong) + 1):
        _name = "error" if _index == len(_spot.wrong) else _index
        globals()[f"test_{_spot.exercise}_{_name}"] = _catches(_spot, _index)
