"""Did what a find-the-mistake function lets through go wrong before its eyes? Runs no check."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.records import Diagnosis
from ...worker.values import Callback
from ..sameness import same_value
from ..tolerances import FUNCTION
from .catalogue import common
from .spotting import MAX_NUMBERS, Asked, Spot, spots

_MOST_CALLS = 200
_SEEN, _UNTRIED, _UNCALLED = (
    common(f"observed.{name}") for name in ("wrong_answer_seen", "none_goes_wrong", "never_called")
)


@dataclass(frozen=True)
class _Noted(Asked):
    """One of our implementations that keeps what it was called with."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any], grad: Any) -> dict[str, Any]:
        self.calls.append((args, kwargs, grad))
        return super().__call__(args, kwargs, grad)

    def went_wrong(self) -> bool | None:
        """Whether an answer was none that a right one gives; None where it takes long to say.

        A call on which right ones differ is left out: the contract leaves it open.
        """
        calls = [call for call in self.calls if call[2] is None]
        if len(calls) > _MOST_CALLS or sum(map(self._size, calls)) > MAX_NUMBERS:
            return None
        return any(map(self._is_wrong, calls))

    def _size(self, call: tuple[Any, ...]) -> float:
        args, kwargs, _ = call
        try:
            return float(self.spot.size(*args, **kwargs))
        except Exception:  # no implementation is made for these arguments
            return 0.0

    def _is_wrong(self, call: tuple[Any, ...]) -> bool:
        first, *others = (Asked(self.spot, each)(*call) for each in range(len(self.spot.right)))
        agree = all(_are_same(first, other) for other in others)
        return agree and not _are_same(Asked(self.spot, self.number)(*call), first)


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether both raise, or both give the same and leave the same of what they were given."""
    if "raises" in one or "raises" in other:
        return "raises" in one and "raises" in other
    is_as_whole = one["changed"].keys() == other["changed"].keys()
    return is_as_whole and same_value(one["value"], other["value"], FUNCTION)


def by_tries(candidate: Candidate) -> tuple[Diagnosis, ...]:
    """What holds of all that the function lets through and should not, or of some of it.

    Empty where the exercise is another one, or nothing is let through.
    """
    spot = next((each for each in spots() if each.exercise == candidate.exercise), None)
    if spot is None:
        return ()
    found = set(_outcomes(spot, candidate))
    return tuple(Diagnosis(one.id, one.explanation, one.question) for one in _NAMES if one in found)


_NAMES = (_UNCALLED, _UNTRIED, _SEEN)


def _outcomes(spot: Spot, candidate: Candidate) -> Iterator[Any]:
    first = len(spot.right)
    for number in range(first, first + len(spot.wrong) + 1):
        asked = _Noted(spot, number)
        try:
            said = candidate.through("grader_spot", Callback(1, asked))
        except CandidateError:
            continue
        if said is not True:
            continue
        if not asked.calls:
            yield _UNCALLED
        elif (wrong := asked.went_wrong()) is not None:
            yield _SEEN if wrong else _UNTRIED
