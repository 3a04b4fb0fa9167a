"""Numbers of parameters, laid out as a part or a role has them; knows no values and no exercise.

Held is where each number stands among all parameters. So it is cut, turned and joined by the words
that tensors have, and what is held of values is held of their gradients too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

Values = Mapping[str, Tensor]
FROM = "@"  # in a part's kind, before the place in its parameter


@dataclass(eq=False, frozen=True)
class Held:
    """Where some numbers stand: `places` [summands, ...] in the parameters of these `names`.

    0 is none, 1 the first number of the first parameter. Of what adds up, each has its summands.
    """

    places: Tensor
    names: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Without axes of size 1, as a part has it."""
        return tuple(self.places.shape[1:])

    @property
    def numel(self) -> int:
        """How many numbers there are, summed up."""
        return math.prod(self.shape)

    def reshape(self, *shape: int) -> Held:
        """The same numbers in another shape of as many."""
        return Held(self.places.reshape(len(self.places), *shape), self.names)

    def permute(self, *order: int) -> Held:
        """The same axes in another order."""
        return Held(self.places.permute(0, *(axis + 1 for axis in order)), self.names)

    def narrow(self, axis: int, start: int, count: int) -> Held:
        """A stretch of one axis."""
        return Held(self.places.narrow(axis + 1, start, count), self.names)


@dataclass(eq=False, frozen=True)
class Part:
    """What inputs meet at one place; a shift alone has no weight.

    Vectors of one `kind` are those of one list of parameters, or of one parameter.
    """

    weight: Held | None
    bias: Held | None = None
    is_used: bool = True
    kind: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its weight."""
        return () if self.weight is None else self.weight.shape

    @property
    def numel(self) -> int:
        """How many numbers its weight has."""
        return 0 if self.weight is None else self.weight.numel

    def rows(self, start: int, count: int) -> Part:
        """A stretch of what a map makes."""
        weight, bias = (
            None if held is None else held.narrow(0, start, count)
            for held in (self.weight, self.bias)
        )
        return Part(weight, bias)


def numbered(shapes: Mapping[str, Sequence[int]]) -> dict[str, Held]:
    """Parameters of these shapes, with a number of its own for each of their numbers."""
    names = tuple(shapes)
    sizes = [math.prod(shape) for shape in shapes.values()]
    starts = itertools.accumulate(sizes, initial=1)
    return {
        name: Held(torch.arange(start, start + size).reshape(1, *shapes[name]), names)
        for name, start, size in zip(names, starts, sizes, strict=False)
    }


def joined(held: Sequence[Held], axis: int = 0) -> Held:
    """Side by side along an axis."""
    if len(held) == 1:
        return held[0]
    most = max(len(each.places) for each in held)
    own = [
        torch.cat([each.places, each.places.new_zeros(most - len(each.places), *each.shape)])
        for each in held
    ]
    return Held(torch.cat(own, axis + 1), held[0].names)


def added(held: Sequence[Held]) -> Held | None:
    """The sum of vectors, flat; None where they are not of one length."""
    if len({each.numel for each in held}) > 1:
        return None
    return Held(torch.cat([each.places.flatten(1) for each in held]), held[0].names)


def in_lists(parts: Sequence[Part]) -> list[Part]:
    """The same parts, with the vectors of each kind as the rows of one map.

    First those from one place on in each parameter of a list, then those of one parameter.
    """
    for kind in (str, lambda kind: kind.partition(FROM)[0]):
        found: dict[object, list[Part]] = {}
        for part in parts:
            alike = (kind(part.kind), part.shape, part.bias is None) if part.kind else part
            found.setdefault(alike, []).append(part)
        parts = [own[0] if len(own) == 1 else _rows(own) for own in found.values()]
    return list(parts)


def _rows(parts: Sequence[Part]) -> Part:
    weights = [each.weight.reshape(1, *each.shape) for each in parts if each.weight is not None]
    shifts = [each.bias.reshape(1) for each in parts if each.bias is not None]
    return Part(joined(weights), joined(shifts) if shifts else None)


def numbers_in(parts: Sequence[Part]) -> int:
    """How many numbers there are in the weights of some parts."""
    return sum(part.numel for part in parts)


def evaluate(numbers: Mapping[str, Held], values: Values) -> dict[str, Tensor]:
    """The numbers of every parameter of a layout, where the learner's have these values."""
    flat: dict[tuple[str, ...], Tensor] = {}  # all parameters one behind the other, once
    found = {}
    for name, held in numbers.items():
        if held.names not in flat:
            own = [values[each].flatten() for each in held.names]
            flat[held.names] = torch.cat([torch.zeros(1), *own])
        found[name] = flat[held.names].take(held.places).sum(0)
    return found
