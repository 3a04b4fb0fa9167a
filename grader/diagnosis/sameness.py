"""Whether two answers are the same up to rounding; knows no exercise.

Which comparison is for what:

- `patterns.close`: two tensors, entry by entry, each up to rounding at its own size.
- `same_value`: two whole answers of a function, by types, shapes, dtypes and `close`.
- `same_gradient`: the same of gradients, which round more, and one of which may be missing.
- `near`: two tensors of a module, which sums: all entries up to rounding of the largest.
- `differing`: in which parts of an answer that has parts.
- `distance`: how far apart two answers are, where neither need be right.

How far apart is still the same stands in `tolerances.py`.
"""

import math
from typing import Any, TypeGuard

import torch
from torch import Tensor

from .misconceptions.function_subject import Probe
from .patterns import close
from .tolerances import FUNCTION, GRADIENT

_TINY = 1e-9
_USUAL = 10.0  # arguments up to this size need no more room for rounding


def same_value(got: Any, expected: Any, tolerance: float, scale: float = 1.0) -> bool:
    """Equal types, shapes and dtypes, and values up to rounding."""
    if isinstance(expected, Tensor):
        if not isinstance(got, Tensor) or got.shape != expected.shape:
            return False
        if got.dtype != expected.dtype or _ends_differ(got, expected, tolerance, scale):
            return False
        return bool(close(got, expected, tolerance, scale).all())
    if type(got) is not type(expected):
        return False
    if isinstance(expected, (tuple, list)):
        return len(got) == len(expected) and all(
            same_value(a, b, tolerance, scale) for a, b in zip(got, expected, strict=True)
        )
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(
            same_value(got[key], expected[key], tolerance, scale) for key in expected
        )
    if isinstance(expected, float):
        return same_value(torch.tensor(got), torch.tensor(expected), tolerance, scale)
    return bool(got == expected)


def _ends_differ(got: Tensor, expected: Tensor, tolerance: float, scale: float) -> bool:
    """Whether the first or the last number alone turns an answer down: that is quickly told."""
    if not got.is_floating_point() or not got.numel():
        return False
    for end in (0, -1):
        place = (end,) * got.dim()
        one, other = float(got[place]), float(expected[place])
        # Of what is not finite, neither is the difference: that compares as false.
        if math.inf > abs(one - other) > tolerance * (scale + abs(other)):
            return True
    return False


def distance(got: Any, expected: Any) -> float:
    """How far two answers are apart, in shares of the second; inf where they cannot be compared."""
    if isinstance(got, Tensor) and isinstance(expected, Tensor) and got.shape == expected.shape:
        if got.is_complex() or expected.is_complex() or not expected.numel():
            return math.inf
        one, other = got.double(), expected.double()
        whole = float((one - other).abs().mean())
        if math.isfinite(whole):
            return whole / max(float(other.abs().mean()), _TINY) + _TINY
        known = one.isfinite() & other.isfinite()
        size, apart = 1.0, 0.0
        if bool(known.any()):
            size = float(other[known].abs().mean())
            apart = float((one - other)[known].abs().mean())
        return apart / max(size, _TINY) + float((~known).double().mean()) + _TINY
    if type(got) is type(expected) and isinstance(got, (list, tuple)):
        is_plain = not any(isinstance(each, Tensor) for each in got)
        same = sum(a == b for a, b in zip(got, expected, strict=False)) if is_plain else 0
        return 1 - same / (1 + max(len(got), len(expected)))
    return math.inf if type(got) is not type(expected) else 1.0


def same_gradient(a: Tensor | None, b: Tensor | None, tolerance: float, scale: float) -> bool:
    """Whether two gradients are the same up to rounding; a missing one is like a missing one."""
    if a is None or b is None:
        return a is b
    return same_value(a, b, GRADIENT * tolerance, scale)


def rounding_scale(probe: Probe) -> float:
    """How many times as much as usual may be rounded: by the largest number that goes in."""
    if not probe.rounds:
        return 1.0
    largest = [1.0]
    for arg in (*probe.args, *probe.kwargs.values()):
        if isinstance(arg, Tensor) and arg.is_floating_point() and arg.numel():
            finite = arg[arg.isfinite()].abs()
            largest.append(float(finite.max()) / _USUAL if finite.numel() else 1.0)
    return max(largest)


def is_float(value: Any) -> TypeGuard[Tensor]:
    """Whether a value is a tensor of floats."""
    return isinstance(value, Tensor) and value.is_floating_point()


def near(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    """Whether two tensors agree in shape, in kind, and up to `tolerance` of the larger numbers."""
    if got.shape != expected.shape or got.is_floating_point() != expected.is_floating_point():
        return False
    if not expected.is_floating_point() or not expected.numel():
        return torch.equal(got, expected)
    apart = float((got - expected).abs().max())
    if math.isfinite(apart):
        return apart <= tolerance or apart <= tolerance * max(1.0, float(expected.abs().max()))
    if not bool(torch.isfinite(expected).all()):
        odd = ~(torch.isfinite(got) & torch.isfinite(expected))
        same = (got == expected) | (got.isnan() & expected.isnan())
        if not bool(same[odd].all()):
            return False
        got, expected = got.masked_fill(odd, 0.0), expected.masked_fill(odd, 0.0)
    scale = max(1.0, float(expected.abs().max()))
    return bool((got - expected).abs().max() <= tolerance * scale)


def differing(one: Any, other: Any) -> set[Any]:
    """The parts in which two answers differ, if both have the same; else the whole."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key for key in one if not same_value(one[key], other[key], FUNCTION)}
    return {None}
