"""Whether two tensors hold the same numbers, in whatever order of axes; knows no exercise."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

_TOLERANCE = 2e-4
_MOST_AXES = 5
_MOST_ROWS = 8
_FAR = 20.0  # so far below all others no softmax leaves anything of a score
_SUNK = -2e30  # stands for minus infinity


class Floats:
    """Numbers that right code has: as they are, sorted, and the ends of what is sorted.

    The ends alone tell most others apart, at a hundredth of the price.
    """

    def __init__(self, value: Tensor) -> None:
        self.value = value
        self.order = _sorted(value)
        self.low, self.high = float(self.order[0]), float(self.order[-1])
        finite = self.order[self.order.abs() < 1e29]
        self._scale = float(finite.abs().mean()) if finite.numel() else 1.0

    def is_of(self, mine: Floats) -> bool:
        """Whether axes that are moved, a sign or any number for what is hidden make it of these."""
        is_high = self._is_near(mine.high, self.high)
        return (
            (is_high and self._is_near(mine.low, self.low) and self._is_moved(mine))
            or (
                self._is_near(mine.high, -self.low)
                and self._is_near(mine.low, -self.high)
                and self._is_negated(mine)
            )
            or (is_high and self.low == _SUNK and self._is_hidden(mine))
        )

    def _is_moved(self, mine: Floats) -> bool:
        return near(mine.order, self.order) and _moved(mine.value, self.value)

    def _is_negated(self, mine: Floats) -> bool:
        return near(mine.order, -self.order.flip(0)) and _moved(-mine.value, self.value)

    def _is_hidden(self, mine: Floats) -> bool:
        return _is_sunk(mine.order, self.order) and _moved(
            _sunk(mine.value, mine.order, self.order), self.value
        )

    def _is_near(self, one: float, other: float) -> bool:
        return abs(one - other) <= 1.01 * _TOLERANCE * (self._scale + abs(other))


def _is_sunk(order: Tensor, other: Tensor) -> bool:
    """Whether both are the same but for what is hidden, which is free to be any very low number.

    Both are sorted; hidden is what right code has as minus infinity.
    """
    count = int((other == _SUNK).sum())
    if not 0 < count < len(other) or float(order[count - 1]) > float(order[count]) - _FAR:
        return False
    return near(order[count:], other[count:])


def _sunk(value: Tensor, order: Tensor, other: Tensor) -> Tensor:
    lowest = order[int((other == _SUNK).sum())]
    return value.masked_fill(value < lowest, _SUNK)


def bare(value: Tensor) -> Tensor:
    """Without axes along which nothing changes: an expanded tensor is what it was before."""
    for axis in range(value.dim()):
        if value.shape[axis] > 1:
            first = value.narrow(axis, 0, 1)
            if bool(((value == first) | ((value != value) & (first != first))).all()):
                value = first
    return value.squeeze()


def _sorted(value: Tensor) -> Tensor:
    return _plain(value.flatten()).sort().values


def _plain(value: Tensor) -> Tensor:
    """With large numbers in place of those that are none."""
    return value.nan_to_num(1e30, 2e30, -2e30)


def near(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors of one shape agree up to rounding; NaN and infinities are numbers too."""
    one, other = _plain(one), _plain(other)
    finite = other[other.abs() < 1e29]
    scale = float(finite.abs().mean()) if finite.numel() else 1.0
    return bool(((one - other).abs() <= _TOLERANCE * (scale + other.abs())).all())


def equal(one: Tensor, other: Tensor) -> bool:
    """The same whole numbers; of flags, also turned around."""
    if one.shape != other.shape:
        return False
    a, b = one.double(), other.double()
    if torch.equal(a, b):
        return True
    flags = bool(((a == 0) | (a == 1)).all()) and bool(((b == 0) | (b == 1)).all())
    return flags and torch.equal(a, 1 - b)


def _moved(value: Tensor, one: Tensor) -> bool:
    """Whether axes that are exchanged, split or joined make one of the other."""
    if one.dim() > _MOST_AXES or value.dim() > _MOST_AXES:
        return False
    flat = value.flatten()
    for order in itertools.permutations(range(one.dim())):
        other = one.permute(order)
        if _fit(value.shape, other.shape) and near(flat, other.flatten()):
            return True
    for order in itertools.permutations(range(value.dim())):
        mine = value.permute(order)
        if _fit(mine.shape, one.shape) and near(mine.flatten(), one.flatten()):
            return True
    return False


@dataclass(frozen=True)
class Within:
    """A known tensor, ready to be asked whether a number stands in it."""

    whole: Tensor
    numbers: Tensor
    room: Tensor  # how far one may be from each of them

    @classmethod
    def of(cls, whole: Tensor) -> Within:
        """Prepare one."""
        numbers = _plain(whole.flatten().double())
        finite = numbers[numbers.abs() < 1e29].abs()
        largest = max(1.0, float(finite.max()) if finite.numel() else 1.0)
        return cls(whole, numbers, _TOLERANCE * (largest + numbers.abs()))

    def may_hold(self, value: Tensor) -> bool:
        """Whether it is larger, and holds three of the value's numbers: that is quickly told."""
        if self.numbers.numel() <= value.numel():
            return False
        numbers = _plain(value.flatten().double())
        some = numbers[[0, len(numbers) // 2, -1]].unsqueeze(1)
        return bool(((self.numbers - some).abs() <= self.room).any(1).all())


def cut_from(value: Tensor, one: Tensor, cuts: int) -> bool:
    """Whether indexing one axis after the other, or a slice of one, gives it."""
    if value.shape == one.shape:
        return near(value.double(), one.double())
    if one.dim() < value.dim() or not cuts:
        return False
    for axis in range(one.dim()):
        if one.dim() > value.dim():
            if any(cut_from(value, part, cuts - 1) for part in one.unbind(axis)[:_MOST_ROWS]):
                return True
        elif one.shape[axis] > value.shape[axis]:
            count = one.shape[axis] - value.shape[axis] + 1
            for start in range(min(count, _MOST_ROWS)):
                if cut_from(value, one.narrow(axis, start, value.shape[axis]), 0):
                    return True
    return False


def _fit(shape: Iterable[int], other: Iterable[int]) -> bool:
    """Whether one of two shapes is the other with axes split."""
    one, two = _ends(shape), _ends(other)
    return one <= two or two <= one


def _ends(shape: Iterable[int]) -> set[int]:
    return set(itertools.accumulate(reversed(list(shape)), lambda a, b: a * b))
