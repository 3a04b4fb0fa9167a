"""Whether numbers are close to the expected ones, and how they relate else; knows no exercise."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from ..candidate.message import Choice, Field, Message, joined, known, say
from .tolerances import MODULE, SEEN

Sizes = Mapping[str, int]
_MOST_AXES = 4


def relation(got: Tensor, expected: Tensor, sizes: Sizes, tolerance: float) -> Message:
    """The most telling sentence about two float tensors of one shape that are not equal."""
    if not expected.dim():
        return say("It is {}; {} was expected.", number(got), number(expected))
    return (
        _not_finite(got, expected)
        or _ratio(got, expected)
        or _partly_right(got, expected, sizes, tolerance)
        or _share(got, expected, tolerance)
        or _farthest(got, expected)
    )


def close(got: Tensor, expected: Tensor, tolerance: float, scale: float = 1.0) -> Tensor:
    """Elementwise: equal up to rounding at this magnitude; NaN and inf only where expected.

    Whole numbers are equal or not: nothing of them is rounded.
    """
    if got.is_complex():  # which is expected of two calls alone, where it is the learner's answer
        return got == expected if expected.is_complex() else torch.zeros(got.shape).bool()
    if not (got.is_floating_point() or expected.is_floating_point() or expected.is_complex()):
        return got == expected
    wanted = expected.to(torch.float64)
    found = got.to(torch.float64)
    near = ((found - wanted).abs() <= tolerance * (scale + wanted.abs())) & wanted.isfinite()
    return near | (found == wanted) | (found.isnan() & wanted.isnan())


def all_close(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    """Equal in shape and, up to rounding, in every entry."""
    return got.shape == expected.shape and bool(close(got, expected, tolerance).all())


def number(value: Tensor, other: Tensor | None = None) -> Message:
    """One entry as learners like to read it, with enough digits to tell it from another one."""
    item = value.item()
    if isinstance(item, float):
        is_near = other is not None and f"{item:.6g}" == f"{other.item():.6g}"
        return say("{:.10g}" if is_near else "{:.6g}", item)
    return say("{}", str(item) if isinstance(item, complex) else item)


def _not_finite(got: Tensor, expected: Tensor) -> Message | None:
    bad = ~got.isfinite() & expected.isfinite()
    if not bad.any():
        return None
    first = bad.nonzero()[0].tolist()
    what = Choice("nan", 3) if got[tuple(first)].isnan() else number(got[tuple(first)])
    count = int(bad.sum())
    if count == 1:
        return say("{} is not finite: {}, at index {}.", entries(count, got), what, first)
    return say("{} are not finite; the first is {}, at index {}.", entries(count, got), what, first)


def _ratio(got: Tensor, expected: Tensor) -> Message | None:
    wanted, found = expected.double().flatten(), got.double().flatten()
    large = wanted.abs() > SEEN * wanted.abs().max()
    if int(large.sum()) < 3:
        return None
    ratios = found[large] / wanted[large]
    middle = float(ratios.median())
    is_one = bool((ratios - middle).abs().max() < MODULE * abs(middle))
    if abs(middle - 1) > SEEN and middle and is_one:
        return say("Everything is {:.4g} times the expected value.", middle)
    return None


def _partly_right(got: Tensor, expected: Tensor, sizes: Sizes, tolerance: float) -> Message | None:
    right = close(got, expected, tolerance)
    axes = list(range(min(2, got.dim() - 1)))
    if got.dim() == 2:
        rows, columns = (float(right.all(axis).float().mean()) for axis in (1, 0))
        axes = [1] if columns > 2 * rows > 0 else axes  # then the columns tell more
    for axis in axes:
        rest = tuple(other for other in range(got.dim()) if other != axis)
        whole = right.amin(rest)
        good, bad = whole.nonzero().flatten().tolist(), (~whole).nonzero().flatten().tolist()
        if good and bad:
            name = _axis_name(axis, got.shape, sizes)
            zero = not got.index_select(axis, torch.tensor(bad)).any()
            return say(
                "It is right for {} and wrong{} for {}.",
                _listed(name, good),
                say(" (all zeros)" if zero else ""),
                _listed(name, bad),
            )
    return None


_AXES = {"batch": "sentence", "seq": "position", "max_len": "position", "query": "query"}


def _axis_name(axis: int, shape: torch.Size, sizes: Sizes) -> str:
    """What the indexes of an axis count, where its size tells."""
    names = {_AXES.get(name, "") for name, size in sizes.items() if size == shape[axis]}
    name = names.pop() if len(names) == 1 else ""
    if not name and len(shape) == 2:
        return ("row", "column")[axis]
    return name or f"axis {axis}, index"


def _share(got: Tensor, expected: Tensor, tolerance: float) -> Message | None:
    right = close(got, expected, tolerance)
    count = int((~right).sum())
    if got.dim() > 2:
        rows = right.all(-1)
        if rows.any():
            return say(
                "{} of {} rows along the last axis are wrong, the first at index {}.",
                int((~rows).sum()),
                rows.numel(),
                (~rows).nonzero()[0].tolist(),
            )
    if 0.2 < right.double().mean().item() < 1:
        return say("{} {}; the others are right.", entries(count, got), verb(count, "differ"))
    return None


def _listed(name: str, indexes: list[int]) -> Message:
    """sentence 0; sentences 1 and 2; axis 1, index 0, 1, 2, 3, …"""
    *most, last = indexes[:4]
    shown: Field = last
    if len(indexes) > 4:
        shown = joined(", ", [*most, last, known("…")])
    elif most:
        shown = say("{} and {}", joined(", ", most), last)
    plural = {"query": "queries"}.get(name, f"{name}s")
    named = name if len(indexes) == 1 or "axis" in name else plural
    return say("{} {}", Choice(named, 2 * _MOST_AXES), shown)  # which axis, and whether one of it


def entries(count: int, tensor: Tensor) -> Message:
    """3 of 12 entries."""
    return say("{} of {} entries", count, tensor.numel())


def verb(count: int, plural: str) -> Choice:
    """The verb in the number of its subject."""
    return Choice(f"{plural}s" if count == 1 else plural, 2)


def _farthest(got: Tensor, expected: Tensor) -> Message:
    gap = (got.double() - expected.double()).abs()
    # NumPy's: PyTorch's own loads sympy, which takes a while.
    index = [int(i) for i in np.unravel_index(int(gap.argmax()), gap.shape)]
    return say("The largest difference is {:.4g}, at index {}.", float(gap.max()), index)
