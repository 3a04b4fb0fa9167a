"""What did a find-the-mistake function see of what it lets through? Runs no check."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.records import Diagnosis
from ...worker.values import Callback
from ..sameness import same_value
from ..tolerances import FUNCTION
from .catalogue import Misconception, common, told
from .spotting import MAX_NUMBERS, Asked, Spot, spots

_MOST_CALLS = 200
_UNCALLED, _UNTRIED = common("observed.never_called"), common("observed.none_goes_wrong")
_RAISES, _SPOILS = common("observed.error_seen"), common("observed.spoiling_seen")
_WRONG = common("observed.wrong_answer_seen")
_AS_TOLD = (_UNCALLED, _UNTRIED, _RAISES, _SPOILS, _WRONG)


@dataclass
class _Noted:
    """One of our implementations that keeps what it was called with, as far as that is little."""

    asked: Asked
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    size: float = 0.0  # numbers that all calls together hold and make

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> dict[str, Any]:
        if grad is None:
            self.size += self._size_of(args, kwargs)
            if self.is_little:
                self.calls.append((args, kwargs))
        return self.asked(args, kwargs, grad)

    @property
    def is_little(self) -> bool:
        return len(self.calls) < _MOST_CALLS and self.size <= MAX_NUMBERS

    def what_shows(self) -> Misconception | None:
        """How it first goes wrong, if it does; None where it takes long to say."""
        if not self.is_little:
            return None
        if not self.calls:
            return _UNCALLED
        return next((found for call in self.calls if (found := self._shown_by(*call))), _UNTRIED)

    def _size_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
        given = sum(arg.numel() for arg in (*args, *kwargs.values()) if isinstance(arg, Tensor))
        try:
            return given + float(self.asked.spot.size(*args))
        except Exception:  # no implementation is made for these arguments
            return given

    def _shown_by(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Misconception | None:
        """How it differs there from the right ones; None where these differ: that is left open."""
        spot = self.asked.spot
        right, *others = (Asked(spot, n)(args, kwargs, None) for n in range(len(spot.right)))
        if any(_difference(other, right) for other in others):
            return None
        return _difference(self.asked(args, kwargs, None), right)


def _difference(one: dict[str, Any], right: dict[str, Any]) -> Misconception | None:
    """What one does that the other does not: none where both raise an error."""
    if "raises" in one or "raises" in right:
        return None if one.keys() == right.keys() else _RAISES
    if not same_value(one["value"], right["value"], FUNCTION):
        return _WRONG
    return None if one["changed"].keys() == right["changed"].keys() else _SPOILS


def by_tries(candidate: Candidate) -> tuple[Diagnosis, ...]:
    """What holds of the wrong implementations that the function lets through, each of some of them.

    Empty where the exercise is another one, or none is let through.
    """
    spot = next((each for each in spots() if each.exercise == candidate.exercise), None)
    found = set() if spot is None else set(_let_through(spot, candidate))
    return told([one for one in _AS_TOLD if one in found])


def _let_through(spot: Spot, candidate: Candidate) -> Iterator[Misconception | None]:
    first = len(spot.right)
    for number in range(first, first + len(spot.wrong) + 1):
        asked = _Noted(Asked(spot, number))
        with suppress(CandidateError):
            if candidate.through("grader_spot", Callback(1, asked)) is True:
                yield asked.what_shows()
