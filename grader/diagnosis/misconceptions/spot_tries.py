"""Did what a find-the-mistake function lets through go wrong before its eyes? Runs no check."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.records import Diagnosis
from ...worker.values import Callback
from ..sameness import same_value
from ..tolerances import FUNCTION
from .catalogue import Misconception, common
from .spotting import MAX_NUMBERS, Asked, Spot, spots

_MOST_CALLS = 200
_KINDS = ("never_called", "none_goes_wrong", "error_seen", "spoiling_seen", "wrong_answer_seen")
_NAMES = tuple(common(f"observed.{name}") for name in _KINDS)
_UNCALLED, _UNTRIED, _RAISES, _SPOILS, _WRONG = _NAMES


@dataclass(frozen=True)
class _Noted(Asked):
    """One of our implementations that keeps what it was called with."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> dict[str, Any]:
        self.calls.append((args, kwargs, grad))
        return super().__call__(args, kwargs, grad)

    def what_shows(self) -> Misconception | None:
        """How it first goes wrong, if it does; None where it takes long to say."""
        if not self.calls:
            return _UNCALLED
        calls = [call for call in self.calls if call[2] is None]
        if len(calls) > _MOST_CALLS or sum(map(self._size, calls)) > MAX_NUMBERS:
            return None
        return next((found for call in calls if (found := self._shown_by(call))), _UNTRIED)

    def _size(self, call: tuple[Any, ...]) -> float:
        args, kwargs, _ = call
        try:
            return float(self.spot.size(*args, **kwargs))
        except Exception:  # no implementation is made for these arguments
            return 0.0

    def _shown_by(self, call: tuple[Any, ...]) -> Misconception | None:
        """How it differs there from the right ones; None where these differ: that is left open."""
        right, *others = (Asked(self.spot, each)(*call) for each in range(len(self.spot.right)))
        mine = Asked(self.spot, self.number)(*call)
        if any(_difference(other, right) for other in others):
            return None
        return _difference(mine, right)


def _difference(one: dict[str, Any], right: dict[str, Any]) -> Misconception | None:
    """What one does that the other does not: none where both raise an error."""
    if "raises" in one or "raises" in right:
        return None if one.keys() == right.keys() else _RAISES
    if not same_value(one["value"], right["value"], FUNCTION):
        return _WRONG
    return None if one["changed"].keys() == right["changed"].keys() else _SPOILS


def by_tries(candidate: Candidate) -> tuple[Diagnosis, ...]:
    """What holds of what the function lets through and should not, each of some of it.

    Empty where the exercise is another one, or nothing is let through.
    """
    spot = next((each for each in spots() if each.exercise == candidate.exercise), None)
    found = set() if spot is None else set(_outcomes(spot, candidate))
    return tuple(Diagnosis(one.id, one.explanation, one.question) for one in _NAMES if one in found)


def _outcomes(spot: Spot, candidate: Candidate) -> Iterator[Misconception | None]:
    first = len(spot.right)
    for number in range(first, first + len(spot.wrong) + 1):
        asked = _Noted(spot, number)
        with suppress(CandidateError):
            if candidate.through("grader_spot", Callback(1, asked)) is True:
                yield asked.what_shows()
