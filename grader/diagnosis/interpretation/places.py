"""Finds where the numbers of each role live among a candidate's parameters; runs none of it."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from .held import Held, Values

_MAY_LACK = ("query.bias", "key.bias", "value.bias", "token_type.weight")
Levels = dict[str, float]  # by role: what its numbers become


@dataclass(frozen=True)
class Places:
    """Each role's numbers [summands, ...], by their places in all parameters one behind another."""

    starts: dict[str, int]  # of each parameter
    numbers: dict[str, Tensor]

    def __contains__(self, role: str) -> bool:
        return role in self.numbers

    @property
    def are_apart(self) -> bool:
        """Whether no number is in two places, and each role has one; some heads need no bias."""
        for role, numbers in self.numbers.items():
            if not role.endswith(_MAY_LACK) and not bool((numbers > 0).any(0).all()):
                return False
        every = torch.cat(
            [one.flatten() for one in (torch.zeros(1).long(), *self.numbers.values())]
        )
        used = every[every > 0]
        return used.unique().numel() == used.numel()

    def changed(self, values: Values, levels: Levels) -> dict[str, Tensor]:
        """Values with every number of some roles set, where the role has parameters."""
        found = {name: value.clone() for name, value in values.items()}
        for role in (role for role in levels if role in self):
            numbers = self.numbers[role]
            self.assign_at(found, numbers, levels[role] / len(numbers))
        return found

    def assign_at(self, values: dict[str, Tensor], numbers: Tensor, number: float) -> None:
        """Give some numbers of a role that value."""
        for name, own in self._within(values, numbers):
            values[name].view(-1)[own] = number

    def multiplied(self, values: Values, roles: Iterable[str], factor: float) -> dict[str, Tensor]:
        """Values with each number of some roles multiplied once, also where several share it."""
        found = {name: value.clone() for name, value in values.items()}
        numbers = torch.cat([self.numbers[role].flatten() for role in roles])
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


def places_of(numbers: Mapping[str, Held], values: Values) -> Places:
    """Where each role's numbers live, be they in one parameter or spread over several."""
    sizes = itertools.accumulate((value.numel() for value in values.values()), initial=1)
    starts = dict(zip(values, sizes, strict=False))
    return Places(starts, {name: held.places for name, held in numbers.items()})
