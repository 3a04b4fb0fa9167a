"""Whether right code has a value as well, in whatever order of axes; knows no exercise."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from ...worker.values import Config, Opaque
from .matching import Floats, Within, bare, cut_from, equal, near

_TOLERANCE = 2e-4
_MOST_DEPTH = 4
_MOST_CUTS = 2
_MOST_COUNTED = 512
_LOW = -1e3  # numbers below stand in for it in people's code


class Known:
    """Values that right code has on one input."""

    def __init__(self) -> None:
        self._plain: set[Any] = set()
        self._whole: list[Tensor] = []
        self._within: list[Within] = []  # of the same, as far as parts were asked for
        self._seen: set[Any] = set()
        self._numbers: list[float] = []
        self._sizes: set[int] = set()
        self._exact: list[Tensor] = []  # whole numbers and flags: their order tells
        self._floats: dict[int, list[Floats]] = {}  # by size

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
        self._sizes.update(size for size in value.shape if size > 1)
        value = bare(value)
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
            same.append(Floats(value))

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
            if depth >= _MOST_DEPTH or not all(map(_is_whole, parts)):
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
            one.shape == value.shape and near(value.double(), one.double()) for one in self._whole
        )

    def has_filled(self, value: Any, before: Any) -> bool:
        """Whether what was filled in since `before` is what right code has in its place."""
        if isinstance(value, Tensor) and isinstance(before, Tensor):
            if value.shape != before.shape or value.is_complex():
                return False
            new = value.double() != before.double()
            return bool(new.any()) and any(
                near(value[new].double(), one[new].double())
                for one in self._whole
                if one.shape == value.shape
            )
        if type(value) is list and type(before) is list and len(before) < len(value):
            frozen = _frozen(value)
            return frozen[: len(before)] == _frozen(before) and self.is_beginning(value)
        return False

    def is_beginning(self, value: Any) -> bool:
        """Whether a list of right code's begins so and goes on."""
        if type(value) is not list or not value:
            return False
        frozen = _frozen(value)
        return any(type(one) is tuple and one[: len(frozen)] == frozen for one in self._plain)

    def _has_number(self, value: float) -> bool | None:
        if value in (0.0, 1.0) or not math.isfinite(value):
            return None
        if any(abs(value - one) <= _TOLERANCE * max(abs(one), 1e-9) for one in self._numbers):
            return True
        return None if value <= _LOW else False

    def _has_tensor(self, value: Tensor) -> bool | None:
        whole = value.numel()
        value = bare(value)
        if value.numel() <= 1:
            return self._has_number(float(value.item())) if value.numel() else None
        if value.is_complex():
            return False
        if not value.is_floating_point():
            return any(equal(value, other) for other in self._exact) or (
                self._has_float(value.double())
            )
        value = value.double()
        if self._has_float(value):
            return True if value.numel() == whole else None  # the same along an axis: it may chance
        if bool(((value == 0) | (value <= _LOW)).all()):  # a mask that is to be added
            hidden = value != 0
            return any(equal(hidden, other) for other in self._exact)
        finite = value.nan_to_num(0.5)
        if bool((finite == finite.round()).all()):  # a mask in floats, positions in floats
            return any(equal(value, other) for other in self._exact)
        return None if self._is_scaled(value) else False

    def is_part(self, value: Any) -> bool:
        """Whether it is cut out of something known: a row, a head, a block."""
        if isinstance(value, tuple):
            return all(map(self.is_part, value))
        if not isinstance(value, Tensor) or value.is_complex() or not value.numel():
            return False
        self._within += map(Within.of, self._whole[len(self._within) :])
        held = (one.whole for one in self._within if one.may_hold(value))
        return any(cut_from(value, one, _MOST_CUTS) for one in held)

    def _has_float(self, value: Tensor) -> bool:
        same = self._floats.get(value.numel(), ())
        if not same:
            return False
        mine = Floats(value)
        return any(one.is_of(mine) for one in same)

    def _is_scaled(self, value: Tensor) -> bool:
        """Whether it is known but for a root of a size: that may be multiplied in anywhere."""
        size = float(value.abs().nan_to_num(0.0, 0.0, 0.0).mean())
        for one in self._floats.get(value.numel(), ()) if size else ():
            ratio = float(one.value.abs().nan_to_num(0.0, 0.0, 0.0).mean()) / size
            powers = (ratio**2, ratio**-2, ratio**4) if 1e-3 < ratio < 1e3 else ()
            is_root = any(abs(p - n) < 1e-3 * n for p in powers for n in self._sizes)
            if is_root and one.is_of(Floats(value * ratio)):
                return True
        return False


def _is_whole(part: Any) -> bool:
    """Whether it tells by itself: a tensor, a group, the pieces of a text."""
    return isinstance(part, (Tensor, tuple)) or (
        type(part) is list and all(type(each) is str for each in part)
    )


def _frozen(value: Any) -> Any:
    if isinstance(value, Tensor):
        return "tensor", tuple(value.shape)
    if type(value) in (list, tuple):
        return tuple(map(_frozen, value))
    if type(value) is dict:
        return tuple((str(key), _frozen(part)) for key, part in value.items())
    return value if type(value) is str or value is None else repr(value)
