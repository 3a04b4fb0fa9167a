"""Whether numbers are close to the expected ones, and how they relate else; knows no exercise."""

import itertools
import math
from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from ..candidate.message import Choice, Field, Message, aside, joined, known, say
from .tolerances import FUNCTION, MODULE, SEEN

Sizes = Mapping[str, int]
_WIDTHS = (64, 512, 768)  # of heads and models that learners have read of
_MOST_AXES = 4


def relation(got: Tensor, expected: Tensor, sizes: Sizes, tolerance: float) -> Message:
    """The most telling sentence about two float tensors of one shape that are not equal."""
    if not expected.dim():
        return say("It is {}; {} was expected.", number(got), number(expected))
    return (
        _not_finite(got, expected)
        or _ratio(got, expected, sizes)
        or _exchanged(got, expected, tolerance)
        or _row_sums(got, expected)
        or _row_ratios(got, expected, sizes)
        or _partly_right(got, expected, sizes, tolerance)
        or _reordered(got, expected, tolerance)
        or _zeros(got, expected, sizes)
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


def _ratio(got: Tensor, expected: Tensor, sizes: Sizes) -> Message | None:
    wanted, found = expected.double().flatten(), got.double().flatten()
    large = wanted.abs() > SEEN * wanted.abs().max()
    if int(large.sum()) >= 3:
        ratios = found[large] / wanted[large]
        middle = float(ratios.median())
        is_one = bool((ratios - middle).abs().max() < MODULE * abs(middle))
        if abs(middle - 1) > SEEN and middle and is_one:
            return _times(middle, sizes)
    offsets = found - wanted
    middle = float(offsets.median())
    is_shifted = bool(((offsets - middle).abs() < FUNCTION).all())
    if len(offsets) >= 3 and abs(middle) > MODULE and is_shifted:
        how, size = Choice("large" if middle > 0 else "small", 2), abs(middle)
        return say("Every number is too {} by {:.4g}{}.", how, size, _named(size, {}))
    return None


def _times(factor: float, sizes: Sizes) -> Message:
    return say("Everything is {:.4g} times the expected value{}.", factor, _named(factor, sizes))


def _named(value: float, sizes: Sizes) -> Message:
    """ ", which is √key" where a known number is that near; else nothing."""
    numbers = {"ln 2": math.log(2), "1/ln 2": 1 / math.log(2), "e": math.e, "1/e": 1 / math.e}
    for name, size in sizes.items():
        numbers |= {f"√{name}": math.sqrt(size), f"1/√{name}": 1 / math.sqrt(size)}
        numbers |= {name: float(size), f"1/{name}": 1 / size, f"√(√{name})": size**0.25}
        numbers |= {f"1/√(√{name})": size**-0.25}
    for (a, x), (b, y) in itertools.permutations(sizes.items(), 2):
        numbers[f"√({a}/{b})"] = math.sqrt(x / y)
    widths = {f"1/√{width}": width**-0.5 for width in _WIDTHS}
    for width, (name, size) in itertools.product(_WIDTHS, sizes.items()):
        widths[f"√({name}/{width})"] = math.sqrt(size / width)
    found = _nearest(value, numbers) or _nearest(value, widths)
    if not found or abs(value - 1) <= SEEN:
        return known("")
    return aside(", which is {}", Choice(" or ".join(found[:2]), len(numbers) + len(widths)))


def _nearest(value: float, numbers: Mapping[str, float]) -> list[str]:
    return [name for name, number in numbers.items() if abs(value - number) < SEEN * abs(number)]


def _exchanged(got: Tensor, expected: Tensor, tolerance: float) -> Message | None:
    for a, b in itertools.combinations(range(got.dim()), 2):
        if got.shape[a] == got.shape[b] and all_close(got.transpose(a, b), expected, tolerance):
            return say("It is the expected result with axes {} and {} exchanged.", a, b)
    if all_close(-got, expected, tolerance):
        return say("Every sign is the opposite of what was expected.")
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


def _zeros(got: Tensor, expected: Tensor, sizes: Sizes) -> Message | None:
    """Rows that hold nothing but zeros, where something was expected."""
    if not got.any():
        return say("Every entry is 0.")
    if got.dim() < 2:
        return None
    empty = ~got.flatten(1).any(1) & expected.flatten(1).any(1)
    if not empty.any():
        return None
    where = _listed(_axis_name(0, got.shape, sizes), empty.nonzero().flatten().tolist())
    return say("It is all zeros for {}, and the others are wrong too.", where)


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


def _row_ratios(got: Tensor, expected: Tensor, sizes: Sizes) -> Message | None:
    """Each row along the last axis is a multiple of what it should be."""
    if got.dim() < 2 or got.shape[-1] < 3:
        return None
    wanted, found = expected.double(), got.double()
    factors = (found * wanted).sum(-1) / (wanted * wanted).sum(-1)
    if not bool(factors.isfinite().all()) or not bool((factors.abs() > SEEN).all()):
        return None
    gap = (found - factors.unsqueeze(-1) * wanted).abs().amax(-1)
    if bool((gap > MODULE * found.abs().amax(-1)).any()):
        return None
    low, high = float(factors.min()), float(factors.max())
    if max(abs(low - 1), abs(high - 1)) < SEEN:  # in no row a multiple: something smaller is wrong
        return None
    if high - low < SEEN * abs(low):
        return _times(low, sizes)
    return say(
        "Each row is the right one times a factor, and the factor differs from row to row: from "
        "{:.4g} to {:.4g}.",
        low,
        high,
    )


def _reordered(got: Tensor, expected: Tensor, tolerance: float) -> Message | None:
    """The right numbers at the wrong places."""
    if all_close(got.sort(-1).values, expected.sort(-1).values, tolerance):
        return say("Each row has the right numbers, in the wrong order.")
    if all_close(got.flatten().sort().values, expected.flatten().sort().values, tolerance):
        return say("All the right numbers are there, but in the wrong places.")
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


def _row_sums(got: Tensor, expected: Tensor) -> Message | None:
    if got.dim() < 2 or not bool((expected >= 0).all()):
        return None
    if not bool((expected.sum(-1) - 1).abs().max() < MODULE):
        return None
    for axis in range(got.dim() - 1):
        if bool((got.sum(axis) - 1).abs().max() < MODULE):
            return say("The entries sum to 1 along axis {} instead of the last one.", axis)
    sums = got.sum(-1)
    if bool((sums - 1).abs().max() > SEEN):
        low, high = float(sums.min()), float(sums.max())
        return say(
            "Along the last axis the entries sum to between {:.4g} and {:.4g}, not to 1.", low, high
        )
    return None


def _farthest(got: Tensor, expected: Tensor) -> Message:
    gap = (got.double() - expected.double()).abs()
    # NumPy's: PyTorch's own loads sympy, which takes a while.
    index = [int(i) for i in np.unravel_index(int(gap.argmax()), gap.shape)]
    return say("The largest difference is {:.4g}, at index {}.", float(gap.max()), index)
