"""Keeps the objects that are made from a learner's code, by handles, and shows what they hold."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import torch

from .arguments import Arguments
from .effective import Merging
from .effective.module import Effective
from .inventory import describe, parameters, tensors_by_name, write
from .values import LAST, simplify

MAX_OBJECTS = 10_000


class KeptObjects:
    """What was made, and what was there before the learner's code was changed."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}
        self._before: dict[int, Any] = {}
        self._made = 0
        self._last: int | None = None

    def keep(self, thing: Any) -> int:
        """The handle under which it is kept. Raises MemoryError where there are too many."""
        if len(self._kept) >= MAX_OBJECTS:
            raise MemoryError(f"more than {MAX_OBJECTS:,} objects are kept")
        self._made += 1
        self._last = self._made
        self._kept[self._made] = thing
        return self._made

    def at(self, handle: int) -> Any:
        """What is kept under a handle. Raises LookupError where nothing is."""
        handle = self._last if handle == LAST and self._last is not None else handle
        if handle not in self._kept:
            raise LookupError(f"there is no object {handle!r} in this worker")
        return self._kept[handle]

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()

    def mark(self) -> None:
        """What is kept now is what `back` leaves."""
        self._before = dict(self._kept)

    def back(self) -> None:
        """Forget what was made since `mark`."""
        self._kept = dict(self._before)
        self._last = None


@dataclass(frozen=True)
class ShownObjects:
    """The operations on an object that is there; each answers with a plain value tree."""

    objects: KeptObjects
    arguments: Callable[..., Arguments]

    def describe(self, handle: int) -> dict[str, Any]:
        """What an object holds now: layers that size themselves do so in the first call."""
        described = simplify(describe(self.objects.at(handle)))
        if type(described) is not dict:  # beyond the bounds of a value tree
            raise MemoryError("the object holds more than can be described")
        return {"handle": handle, **described}

    def effective(
        self, handle: int, calls: list[dict[str, Any]], merging: Merging = "narrow"
    ) -> dict[str, Any]:
        """An object as if it held what its parameters come to in these calls."""
        given = [self.arguments(each["args"], each["kwargs"]) for each in calls]
        module = self.objects.at(handle)
        made = Effective(module, [(each.args, each.kwargs) for each in given], merging)
        return self.describe(self.objects.keep(made))

    def effective_values(self, handle: int, values: dict[str, Any]) -> dict[str, Any]:
        """What parameters of these values come to, by the names that they have in that object."""
        values = simplify(cast(Effective, self.objects.at(handle)).values(values))
        if type(values) is not dict:
            raise MemoryError("the parameters are too many to be read")
        return {"values": values}

    def read(self, handle: int, loose: bool = False) -> dict[str, Any]:
        """The values of an object's parameters; with `loose`, of what it holds unregistered too."""
        thing = self.objects.at(handle)
        values = simplify(tensors_by_name(thing) if loose else parameters(thing))
        if type(values) is not dict:  # beyond the bounds of a value tree
            raise MemoryError(f"the parameters are too many to be read: {values.type_name}")
        # Lazy parameters have no value yet.
        return {"values": {n: t for n, t in values.items() if isinstance(t, torch.Tensor)}}

    def write(self, handle: int, values: dict[str, Any], is_all: bool = False) -> dict[str, Any]:
        """Copy values into parameters; `is_all`: only if it has these and no others."""
        thing = self.objects.at(handle)
        if is_all and _shapes(parameters(thing)) != _shapes(values):
            raise LookupError("it has other parameters")
        write(thing, values)
        return {}


def _shapes(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.shape for name, value in values.items()}
