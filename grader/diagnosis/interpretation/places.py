"""Finds where the numbers of each role live among a candidate's parameters; runs none of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .held import Values

_MAY_LACK = ("q_b", "k_b", "v_b")
Place = tuple[Any, ...]  # the way to a role: ("layers", 0, "attention", "o_w")
Levels = dict[Place, float]  # what the numbers of some roles become


@dataclass(frozen=True)
class Places:
    """Each role's numbers [summands, ...], by their places in all parameters one behind another."""

    starts: dict[str, int]  # of each parameter
    numbers: dict[Place, Tensor]

    def __contains__(self, place: Place) -> bool:
        return place in self.numbers

    @property
    def are_apart(self) -> bool:
        """Whether no number is in two places, and each place has one; some heads need no bias."""
        for place, numbers in self.numbers.items():
            if place[-1] not in _MAY_LACK and not bool((numbers > 0).any(0).all()):
                return False
        every = torch.cat(
            [one.flatten() for one in (torch.zeros(1).long(), *self.numbers.values())]
        )
        used = every[every > 0]
        return used.unique().numel() == used.numel()

    def changed(self, values: Values, levels: Levels) -> dict[str, Tensor]:
        """Values with every number of some roles set, where the role has parameters."""
        found = {name: value.clone() for name, value in values.items()}
        for place in (place for place in levels if place in self):
            numbers = self.numbers[place]
            self.assign_at(found, numbers, levels[place] / len(numbers))
        return found

    def assign_at(self, values: dict[str, Tensor], numbers: Tensor, number: float) -> None:
        """Give some numbers of a role that value."""
        for name, own in self._within(values, numbers):
            values[name].view(-1)[own] = number

    def multiplied(
        self, values: Values, places: Iterable[Place], factor: float
    ) -> dict[str, Tensor]:
        """Values with each number of some roles multiplied once, also where several share it."""
        found = {name: value.clone() for name, value in values.items()}
        numbers = torch.cat([self.numbers[place].flatten() for place in places])
        for name, own in self._within(found, numbers.unique()):
            found[name].view(-1)[own] *= factor
        return found

    def _within(self, values: dict[str, Tensor], numbers: Tensor) -> Iterator[tuple[str, Tensor]]:
        """Each parameter that holds some, with the places in it."""
        if not numbers.numel():
            return
        first, last = int(numbers.min()), int(numbers.max())
        for name, start in self.starts.items():
            if start > last or start + values[name].numel() <= first:
                continue
            own = numbers[(numbers >= start) & (numbers < start + values[name].numel())]
            yield name, own - start


def places_of(parts: Any, values: Values) -> Places:
    """Where each role's numbers live, be they in one parameter or spread over several."""
    sizes = itertools.accumulate((value.numel() for value in values.values()), initial=1)
    starts = dict(zip(values, sizes, strict=False))
    return Places(starts, {place: held.places for place, held in by_place(parts)})


def by_place(roles: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every role, or what is held of it, with its place."""
    if not isinstance(roles, dict | list):
        yield place, roles
        return
    for key, part in roles.items() if isinstance(roles, dict) else enumerate(roles):
        yield from by_place(part, (*place, key))
