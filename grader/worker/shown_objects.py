"""Shows what kept objects hold, and sets it; runs nothing of a learner's but what is followed."""

from collections.abc import Callable
from typing import Any, cast

import torch

from .arguments import Arguments
from .effective import Effective
from .inventory import describe, parameters, tensors_by_name, write
from .kept_objects import KeptObjects
from .values import simplify


class ShownObjects:
    """The operations on an object that is there; each answers with a plain value tree."""

    def __init__(self, objects: KeptObjects, arguments: Callable[..., Arguments]) -> None:
        self._objects = objects
        self._arguments = arguments

    def describe(self, handle: int) -> dict[str, Any]:
        """What an object holds now: layers that size themselves do so in the first call."""
        described = simplify(describe(self._objects.at(handle)))
        if type(described) is not dict:  # beyond the bounds of a value tree
            raise MemoryError("the object holds more than can be described")
        return {"handle": handle, **described}

    def effective(
        self, handle: int, calls: list[dict[str, Any]], merged: bool = False, apart: bool = False
    ) -> dict[str, Any]:
        """An object as if it held what its parameters come to in these calls."""
        given = [self._arguments(each["args"], each["kwargs"]) for each in calls]
        module = self._objects.at(handle)
        made = Effective(module, [(each.args, each.kwargs) for each in given], merged, apart)
        return self.describe(self._objects.keep(made))

    def effective_values(self, handle: int, values: dict[str, Any]) -> dict[str, Any]:
        """What parameters of these values come to, by the names that they have in that object."""
        values = simplify(cast(Effective, self._objects.at(handle)).values(values))
        if type(values) is not dict:
            raise MemoryError("the parameters are too many to be read")
        return {"values": values}

    def read(self, handle: int, loose: bool = False) -> dict[str, Any]:
        """The values of an object's parameters; with `loose`, of what it holds unregistered too."""
        thing = self._objects.at(handle)
        values = simplify(tensors_by_name(thing) if loose else parameters(thing))
        if type(values) is not dict:  # beyond the bounds of a value tree
            raise MemoryError(f"the parameters are too many to be read: {values.type_name}")
        # Lazy parameters have no value yet.
        return {"values": {n: t for n, t in values.items() if isinstance(t, torch.Tensor)}}

    def write(self, handle: int, values: dict[str, Any], is_all: bool = False) -> dict[str, Any]:
        """Copy values into parameters; `is_all`: only if it has these and no others."""
        thing = self._objects.at(handle)
        if is_all and _shapes(parameters(thing)) != _shapes(values):
            raise LookupError("it has other parameters")
        write(thing, values)
        return {}


def _shapes(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value.shape for name, value in values.items()}
