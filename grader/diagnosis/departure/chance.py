"""The line at which chance comes in, by two recordings with other random numbers; judges none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor

from ...candidate.candidate import Candidate
from ..misconceptions.function_subject import Probe
from ..sameness import same_value
from .departed import Departed
from .recording import Event, Recording, record

_NUMBERS = (Tensor, int, float, list, tuple)
_ROUNDING = 1e-4


def by_chance(
    candidate: Candidate, target: Mapping[str, Any], probe: Probe, mine: Recording | None
) -> Departed | None:
    """The first line that makes something else of the very same; None where none does.

    `mine` is what its lines do with the probe; PyTorch's own random numbers are others then.
    """
    if mine is None or mine.problem is not None:
        return None
    again = record(candidate, target, probe.args, probe.kwargs, seed=1)
    if again is None:
        return None
    for index, (one, other) in enumerate(zip(mine.events, again.events, strict=False)):
        if (one.kind, one.statement) != (other.kind, other.statement):
            return None  # it goes another way before anything that can be seen differs
        if _differ(one, other):
            return Departed(mine, index, None, "chance", is_sure=True)
    return None


def _differ(one: Event, other: Event) -> bool:
    """Whether a value that is known in both is another."""
    both = (
        (value, other.writes[name]) for name, value in one.writes.items() if name in other.writes
    )
    return any(
        isinstance(value, _NUMBERS) and not same_value(again, value, _ROUNDING)
        for value, again in both
    )
