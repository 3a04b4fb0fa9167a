"""Whether right code has a value as well, in whatever order of axes; knows no exercise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from ...worker.values import Config, Opaque

_TOLERANCE = 2e-4
_MOST_AXES = 5
_MOST_DEPTH = 4
_MOST_CUTS, _MOST_ROWS = 2, 8
_FAR = 20.0  # so far below all others no softmax leaves anything of a score
_SUNK = -2e30  # stands for minus infinity
_MOST_COUNTED = 512
_LOW = -1e3  # numbers below stand in for it in people's code


class Known:
    """Values that right code has on one input."""

    def __init__(self) -> None:
        self._plain: set[Any] = set()
        self._whole: list[Tensor] = []
        self._seen: set[Any] = set()
        self._numbers: list[float] = []
        self._exact: list[Tensor] = []  # whole numbers and flags: their order tells
        self._floats: dict[int, list[_Floats]] = {}  # by size

    def add_given(self, value: Any) -> None:
        """Know what a call is given, with its sizes, and what is counted up to them."""
        self.add(value)
        numbers: Iterable[Any] = [value]
        if isinstance(value, Config):
            numbers = value.fields.values()
            self._numbers.extend(float(v) for v in numbers if type(v) in (int, float))
        elif isinstance(value, Tensor):
            numbers = value.shape
        for size in numbers:
            if type(size) is int and 1 < size <= _MOST_COUNTED:
                self.add(torch.arange(size))

    def add(self, value: Any, depth: int = 0) -> None:
        """Know a value and its parts."""
        if isinstance(value, Tensor):
            self._add_tensor(value)
        elif type(value) in (int, float):
            self._numbers.append(float(value))
        elif type(value) in (list, tuple, dict):
            self._plain.add(_frozen(value))
            parts = value.values() if type(value) is dict else value
            if depth < _MOST_DEPTH:
                for part in parts:
                    self.add(part, depth + 1)
        elif type(value) is str:
            self._plain.add(value)

    def _add_tensor(self, value: Tensor) -> None:
        if value.is_complex():
            return
        if value.is_floating_point():
            value = value.double()
        key = tuple(value.shape), value.dtype, value.contiguous().numpy().tobytes()
        if key in self._seen:
            return
        self._seen.add(key)
        value = value.clone()
        self._whole.append(value)
        self._numbers.extend(map(float, value.shape))
        value = _bare(value)
        if value.numel() == 1:
            self._numbers.append(float(value.item()))
        if not value.is_floating_point():
            self._exact.append(value)
            return
        value = value.double()
        same = self._floats.setdefault(value.numel(), [])
        if not any(
            one.value.shape == value.shape and torch.equal(value, one.value) for one in same
        ):
            same.append(_Floats(value))

    def has(self, value: Any, depth: int = 0) -> bool | None:
        """Whether it is known; None where it tells nothing."""
        if value is None or isinstance(value, (bool, Opaque)):
            return None
        if isinstance(value, Tensor):
            return self._has_tensor(value)
        if type(value) in (int, float):
            return self._has_number(float(value))
        if type(value) is str:
            return True if value in self._plain else (None if len(value) < 2 else False)
        if type(value) in (list, tuple, dict):
            if _frozen(value) in self._plain:
                return True
            parts = list(value.values() if type(value) is dict else value)
            if not parts or self._are_sizes(value):
                return None
            if depth >= _MOST_DEPTH or not all(isinstance(p, (Tensor, tuple)) for p in parts):
                return False
            each = [self.has(part, depth + 1) for part in parts]
            return False if False in each else (True if True in each else None)
        return None

    def _are_sizes(self, value: Any) -> bool:
        """Whether it may be a shape: that tells nothing of what it is used for."""
        return type(value) is tuple and all(
            type(size) is int and (size in (-1, 1) or self._has_number(float(size)) is True)
            for size in value
        )

    def has_empty(self, value: Any) -> bool:
        """Whether right code has an empty text or list, too."""
        return _frozen(value) in self._plain

    def has_whole(self, value: Any) -> bool:
        """Whether right code has it in this very shape and order."""
        return isinstance(value, Tensor) and any(
            one.shape == value.shape and _near(value.double(), one.double()) for one in self._whole
        )

    def has_filled(self, value: Any, before: Any) -> bool:
        """Whether what was filled in since `before` is what right code has in its place."""
        if isinstance(value, Tensor) and isinstance(before, Tensor):
            if value.shape != before.shape or value.is_complex():
                return False
            new = value.double() != before.double()
            return bool(new.any()) and any(
                _near(value[new].double(), one[new].double())
                for one in self._whole
                if one.shape == value.shape
            )
        if type(value) is list and type(before) is list and len(before) < len(value):
            frozen = _frozen(value)
            if frozen[: len(before)] != _frozen(before):
                return False
            return any(type(one) is tuple and one[: len(frozen)] == frozen for one in self._plain)
        return False

    def _has_number(self, value: float) -> bool | None:
        if value in (0.0, 1.0) or not math.isfinite(value):
            return None
        if any(abs(value - one) <= _TOLERANCE * max(abs(one), 1e-9) for one in self._numbers):
            return True
        return None if value <= _LOW else False

    def _has_tensor(self, value: Tensor) -> bool | None:
        value = _bare(value)
        if value.numel() <= 1:
            return self._has_number(float(value.item())) if value.numel() else None
        if value.is_complex():
            return False
        if not value.is_floating_point():
            return any(_equal(value, other) for other in self._exact) or (
                self._has_float(value.double())
            )
        value = value.double()
        if self._has_float(value):
            return True
        if bool(((value == 0) | (value <= _LOW)).all()):  # a mask that is to be added
            hidden = value != 0
            return any(_equal(hidden, other) for other in self._exact)
        whole = value.nan_to_num(0.5)
        if bool((whole == whole.round()).all()):  # a mask in floats, positions in floats
            return any(_equal(value, other) for other in self._exact)
        return False

    def is_part(self, value: Any) -> bool:
        """Whether it is cut out of something known: a row, a head, a block."""
        if isinstance(value, tuple):
            return all(map(self.is_part, value))
        if not isinstance(value, Tensor) or value.is_complex() or not value.numel():
            return False
        wide = [one for one in self._whole if one.numel() > value.numel()]
        return any(_cut_from(value, one, _MOST_CUTS) for one in wide)

    def _has_float(self, value: Tensor) -> bool:
        same = self._floats.get(value.numel(), ())
        if not same:
            return False
        mine = _Floats(value)
        return any(one.is_of(mine) for one in same)


class _Floats:
    """Numbers that right code has: as they are, sorted, and the ends of what is sorted.

    The ends alone tell most others apart, at a hundredth of the price.
    """

    def __init__(self, value: Tensor) -> None:
        self.value = value
        self.order = _sorted(value)
        self.low, self.high = float(self.order[0]), float(self.order[-1])
        finite = self.order[self.order.abs() < 1e29]
        self._scale = float(finite.abs().mean()) if finite.numel() else 1.0

    def is_of(self, mine: _Floats) -> bool:
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

    def _is_moved(self, mine: _Floats) -> bool:
        return _near(mine.order, self.order) and _moved(mine.value, self.value)

    def _is_negated(self, mine: _Floats) -> bool:
        return _near(mine.order, -self.order.flip(0)) and _moved(-mine.value, self.value)

    def _is_hidden(self, mine: _Floats) -> bool:
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
    return _near(order[count:], other[count:])


def _sunk(value: Tensor, order: Tensor, other: Tensor) -> Tensor:
    lowest = order[int((other == _SUNK).sum())]
    return value.masked_fill(value < lowest, _SUNK)


def _frozen(value: Any) -> Any:
    if isinstance(value, Tensor):
        return "tensor", tuple(value.shape)
    if type(value) in (list, tuple):
        return tuple(map(_frozen, value))
    if type(value) is dict:
        return tuple((str(key), _frozen(part)) for key, part in value.items())
    return value if type(value) is str or value is None else repr(value)


def _bare(value: Tensor) -> Tensor:
    """Without axes along which nothing changes: an expanded tensor is what it was before."""
    for axis in range(value.dim()):
        if value.shape[axis] > 1:
            first = value.narrow(axis, 0, 1)
            if bool(((value == first) | ((value != value) & (first != first))).all()):
                value = first
    return value.squeeze()


def _sorted(value: Tensor) -> Tensor:
    return value.flatten().nan_to_num(1e30, 2e30, -2e30).sort().values


def _near(one: Tensor, other: Tensor) -> bool:
    one, other = one.nan_to_num(1e30, 2e30, -2e30), other.nan_to_num(1e30, 2e30, -2e30)
    finite = other[other.abs() < 1e29]
    scale = float(finite.abs().mean()) if finite.numel() else 1.0
    return bool(((one - other).abs() <= _TOLERANCE * (scale + other.abs())).all())


def _equal(one: Tensor, other: Tensor) -> bool:
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
        if _fit(value.shape, other.shape) and _near(flat, other.flatten()):
            return True
    for order in itertools.permutations(range(value.dim())):
        mine = value.permute(order)
        if _fit(mine.shape, one.shape) and _near(mine.flatten(), one.flatten()):
            return True
    return False


def _cut_from(value: Tensor, one: Tensor, cuts: int) -> bool:
    """Whether indexing one axis after the other, or a slice of one, gives it."""
    if value.shape == one.shape:
        return bool(torch.equal(value.double(), one.double()))
    if one.dim() < value.dim() or not cuts:
        return False
    for axis in range(one.dim()):
        if one.dim() > value.dim():
            if any(_cut_from(value, part, cuts - 1) for part in one.unbind(axis)[:_MOST_ROWS]):
                return True
        elif one.shape[axis] > value.shape[axis]:
            count = one.shape[axis] - value.shape[axis] + 1
            for start in range(min(count, _MOST_ROWS)):
                if _cut_from(value, one.narrow(axis, start, value.shape[axis]), 0):
                    return True
    return False


def _fit(shape: Iterable[int], other: Iterable[int]) -> bool:
    """Whether one of two shapes is the other with axes split."""
    one, two = _ends(shape), _ends(other)
    return one <= two or two <= one


def _ends(shape: Iterable[int]) -> set[int]:
    return set(itertools.accumulate(reversed(list(shape)), lambda a, b: a * b))
