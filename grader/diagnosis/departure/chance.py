"""The line at which chance comes in, by two recordings with other random numbers; judges none."""

from __future__ import annotations

from torch import Tensor

from ..sameness import same_value
from .departed import Departed
from .recording import Event, Recording

_NUMBERS = (Tensor, int, float, list, tuple)
_ROUNDING = 1e-4


def by_chance(mine: Recording, again: Recording | None) -> Departed | None:
    """The first line that makes something else of the very same; None where none does."""
    if again is None or mine.problem is not None:
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
