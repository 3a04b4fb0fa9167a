"""Says in tensor terms how an answer differs from the expected one; knows no exercise by name."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from .records import Difference
from .worker.values import Opaque

MAX_DIFFERENCES = 4
Sizes = Mapping[str, int]


def describe(got: Any, expected: Any, sizes: Sizes | None = None, tolerance: float = 1e-5) -> str:
    """The most telling sentences about `got`, for a learner; empty where it is as expected.

    `sizes` names the sizes in play, {"batch": 2, "key": 5}, so that axes and factors get names.
    """
    if isinstance(expected, Tensor):
        return _tensor_facts(got, expected, sizes or {}, tolerance)
    return _tree_facts(got, expected)


def close(got: Tensor, expected: Tensor, tolerance: float, scale: float = 1.0) -> Tensor:
    """Elementwise: equal up to rounding at this magnitude; NaN and inf only where expected."""
    wanted = expected.to(torch.float64)
    found = got.to(torch.float64)
    near = ((found - wanted).abs() <= tolerance * (scale + wanted.abs())) & wanted.isfinite()
    return near | (found == wanted) | (found.isnan() & wanted.isnan())


def differences(got: Tensor, expected: Tensor, tolerance: float) -> tuple[Difference, ...]:
    """The first few places where two tensors of one shape differ."""
    wrong = (~close(got, expected, tolerance)).nonzero().tolist()
    return tuple(
        Difference(str(index), number(expected[tuple(index)]), number(got[tuple(index)]))
        for index in wrong[:MAX_DIFFERENCES]
    )


def number(value: Tensor) -> str:
    """One entry as learners like to read it."""
    item = value.item()
    return f"{item:.6g}" if isinstance(item, float) else str(item)


def kind_of(value: Any) -> str:
    """The type of an answer in a learner's words."""
    if value is None:
        return "None (is there a return?)"
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    if isinstance(value, Tensor):
        return f"a tensor of shape {list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r} (a {type(value).__name__})"[:80]


def _tensor_facts(got: Any, expected: Tensor, sizes: Sizes, tolerance: float) -> str:
    if not isinstance(got, Tensor):
        inside = ""
        if isinstance(got, (tuple, list)) and got and isinstance(got[0], Tensor):
            first = got[0]
            if first.shape == expected.shape and _all_close(first, expected, tolerance):
                inside = " Its first part is the right tensor: return that alone."
        return f"It returns {kind_of(got)}; a tensor was expected.{inside}"
    if got.shape != expected.shape:
        return shape_fact(tuple(got.shape), tuple(expected.shape), sizes)
    if got.dtype != expected.dtype:
        right = " The values themselves are right." if _all_close(got, expected, tolerance) else ""
        return f"Its dtype is {_dtype(got)}; {_dtype(expected)} was expected.{right}"
    if _all_close(got, expected, tolerance):
        return ""
    if not (got.is_floating_point() and expected.is_floating_point()):
        return _discrete_fact(got, expected)
    return (
        _not_finite(got, expected)
        or _ratio(got, expected, sizes)
        or _exchanged(got, expected, tolerance)
        or _partly_right(got, expected, tolerance)
        or _row_sums(got, expected)
        or _farthest(got, expected)
    )


def _all_close(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    return got.shape == expected.shape and bool(close(got, expected, tolerance).all())


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def named_shape(shape: tuple[int, ...], sizes: Sizes) -> str:
    """[2, 5] as "[2 (batch), 5 (key)]" where the sizes have names."""
    names: dict[int, str] = {}
    for name, size in sizes.items():
        names[size] = f"{names[size]}/{name}" if size in names else name
    parts = [f"{size} ({names[size]})" if size in names else str(size) for size in shape]
    return f"[{', '.join(parts)}]"


def shape_fact(got: tuple[int, ...], expected: tuple[int, ...], sizes: Sizes) -> str:
    """What a wrong shape looks like: axes exchanged, missing, added."""
    told = f"Its shape is {named_shape(got, sizes)}; {named_shape(expected, sizes)} was expected."
    if len(got) == len(expected) and sorted(got) == sorted(expected):
        moved = [axis for axis in range(len(got)) if got[axis] != expected[axis]]
        axes = " and ".join(str(axis) for axis in moved)
        return f"{told} Axes {axes} look exchanged."
    if len(got) == len(expected) - 1:
        for axis in range(len(expected)):
            if got == expected[:axis] + expected[axis + 1 :]:
                return f"{told} Axis {axis} is missing: summed over, squeezed or indexed away?"
    if len(got) == len(expected) + 1:
        for axis in range(len(got)):
            if got[:axis] + got[axis + 1 :] == expected:
                return f"{told} There is an axis {axis} too many."
    wrong = [axis for axis, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b]
    if len(got) == len(expected) and len(wrong) == 1:
        return f"{told} Only axis {wrong[0]} is off."
    return told


def _discrete_fact(got: Tensor, expected: Tensor) -> str:
    wrong = got != expected
    count = int(wrong.sum())
    if got.dtype == torch.bool and count == got.numel():
        return "Every entry is the opposite of what was expected: True and False are exchanged."
    if got.dim() >= 2 and got.shape[-1] == got.shape[-2] and torch.equal(got.mT, expected):
        return "It is the expected result with its last two axes exchanged."
    first = wrong.nonzero()[0].tolist()
    return f"{count} of {got.numel()} entries differ, the first at index {first}."


def _not_finite(got: Tensor, expected: Tensor) -> str:
    bad = ~got.isfinite() & expected.isfinite()
    if not bad.any():
        return ""
    first = bad.nonzero()[0].tolist()
    what = "nan" if got[tuple(first)].isnan() else number(got[tuple(first)])
    rows = bad.flatten(1).any(1) if got.dim() > 1 else bad
    where = (
        "every row of axis 0" if bool(rows.all()) else f"rows {rows.nonzero().flatten().tolist()}"
    )
    count = int(bad.sum())
    return f"{count} of {got.numel()} entries are not finite: {what} first at {first} (in {where})."


def _ratio(got: Tensor, expected: Tensor, sizes: Sizes) -> str:
    wanted, found = expected.double().flatten(), got.double().flatten()
    large = wanted.abs() > 1e-3 * wanted.abs().max()
    if int(large.sum()) >= 3:
        ratios = found[large] / wanted[large]
        middle = float(ratios.median())
        if (
            abs(middle - 1) > 1e-3
            and middle
            and bool((ratios - middle).abs().max() < 1e-4 * abs(middle))
        ):
            return f"Everything is {middle:.4g} times the expected value{near(middle, sizes)}."
    offsets = found - wanted
    middle = float(offsets.median())
    if len(offsets) >= 3 and abs(middle) > 1e-4 and bool((offsets - middle).abs().max() < 1e-5):
        return f"Everything is off by the same {middle:.4g}{near(middle, sizes)}."
    return ""


def near(value: float, sizes: Sizes) -> str:
    """ ", which is √key" where a known number is that near; else nothing."""
    known = {"ln 2": math.log(2), "1/ln 2": 1 / math.log(2), "e": math.e, "1/e": 1 / math.e}
    for name, size in sizes.items():
        known |= {f"√{name}": math.sqrt(size), f"1/√{name}": 1 / math.sqrt(size)}
        known |= {name: float(size), f"1/{name}": 1 / size, f"√(√{name})": size**0.25}
        known |= {f"1/√(√{name})": size**-0.25}
    for (a, x), (b, y) in itertools.permutations(sizes.items(), 2):
        known[f"√({a}/{b})"] = math.sqrt(x / y)
    for width in (64, 512, 768):
        known[f"1/√{width}"] = width**-0.5
        for name, size in sizes.items():
            known[f"√({name}/{width})"] = math.sqrt(size / width)
    found = [name for name, number in known.items() if abs(value - number) < 1e-3 * abs(number)]
    return f", which is {' or '.join(found[:2])}" if found and abs(value - 1) > 1e-3 else ""


def _exchanged(got: Tensor, expected: Tensor, tolerance: float) -> str:
    for a, b in itertools.combinations(range(got.dim()), 2):
        if got.shape[a] == got.shape[b] and _all_close(got.transpose(a, b), expected, tolerance):
            return f"It is the expected result with axes {a} and {b} exchanged."
    if _all_close(-got, expected, tolerance):
        return "Every sign is the opposite of what was expected."
    return ""


def _partly_right(got: Tensor, expected: Tensor, tolerance: float) -> str:
    right = close(got, expected, tolerance)
    names = {0: "batch row", 1: "position"}
    for axis in range(min(2, got.dim() - 1)):
        rest = tuple(other for other in range(got.dim()) if other != axis)
        rows = right.amin(rest) if got.dim() > 1 else right
        good, bad = rows.nonzero().flatten().tolist(), (~rows).nonzero().flatten().tolist()
        if good and bad:
            what = names.get(axis, f"index of axis {axis}")
            return f"It is right for {what} {_listed(good)} and wrong for {what} {_listed(bad)}."
    share = right.double().mean().item()
    if 0.2 < share < 1:
        return f"{int((~right).sum())} of {right.numel()} entries differ; the others are right."
    return ""


def _listed(indexes: list[int]) -> str:
    shown = ", ".join(str(index) for index in indexes[:4])
    return f"{shown}, …" if len(indexes) > 4 else shown


def _row_sums(got: Tensor, expected: Tensor) -> str:
    if got.dim() < 2 or not bool((expected >= 0).all()):
        return ""
    if not bool((expected.sum(-1) - 1).abs().max() < 1e-4):
        return ""
    for axis in range(got.dim() - 1):
        if bool((got.sum(axis) - 1).abs().max() < 1e-4):
            return f"The entries sum to 1 along axis {axis} instead of the last one."
    sums = got.sum(-1)
    if bool((sums - 1).abs().max() > 1e-3):
        low, high = float(sums.min()), float(sums.max())
        return f"Along the last axis the entries sum to between {low:.4g} and {high:.4g}, not to 1."
    return ""


def _farthest(got: Tensor, expected: Tensor) -> str:
    gap = (got.double() - expected.double()).abs()
    index = [int(i) for i in torch.unravel_index(gap.argmax(), gap.shape)]
    return f"The largest difference is {float(gap.max()):.4g}, at index {index}."


def _tree_facts(got: Any, expected: Any) -> str:
    if type(got) is not type(expected):
        return f"It returns {kind_of(got)}; {kind_of(expected)} was expected."
    if got == expected:
        return ""
    if isinstance(expected, (list, tuple)):
        if len(got) != len(expected):
            return f"It has {len(got)} entries; {len(expected)} were expected."
        first = next(i for i, (a, b) in enumerate(zip(got, expected, strict=True)) if a != b)
        return f"Entry {first} is {got[first]!r}; {expected[first]!r} was expected."[:300]
    if isinstance(expected, dict):
        missing = [key for key in expected if key not in got]
        extra = [key for key in got if key not in expected]
        if missing or extra:
            return f"Its keys are {list(got)}; {list(expected)} were expected."[:300]
        key = next(key for key in expected if got[key] != expected[key])
        return f"{key}: {_tree_facts(got[key], expected[key])}"
    return f"It is {got!r}; {expected!r} was expected."[:300]
