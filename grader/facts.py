"""Says in tensor terms how an answer differs from the expected one; knows no exercise by name."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .patterns import Sizes, all_close, close, entries, number, relation, verb
from .records import Difference
from .worker.values import Opaque

MAX_DIFFERENCES = 4


def describe(got: Any, expected: Any, sizes: Sizes | None = None, tolerance: float = 1e-5) -> str:
    """The most telling sentences about `got`, for a learner; empty where it is as expected.

    `sizes` names the sizes in play, {"batch": 2, "key": 5}, so that axes and factors get names.
    """
    if isinstance(expected, Tensor):
        return _tensor_facts(got, expected, sizes or {}, tolerance)
    return _tree_facts(got, expected)


def differences(got: Tensor, expected: Tensor, tolerance: float) -> tuple[Difference, ...]:
    """The first few places where two tensors of one shape differ."""
    if not expected.dim():  # one number: the sentence has said it
        return ()
    wrong = (~close(got, expected, tolerance)).nonzero().tolist()
    return tuple(
        Difference(str(index), number(expected[tuple(index)]), number(got[tuple(index)]))
        for index in wrong[:MAX_DIFFERENCES]
    )


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
            if first.shape == expected.shape and all_close(first, expected, tolerance):
                inside = " Its first part is the right tensor: return that alone."
        # Of a tensor that cannot be read, "no tensor" would be news to who wrote it.
        wanted = "an ordinary tensor" if _is_unread(got) else "a tensor"
        return f"It returns {kind_of(got)}; {wanted} was expected.{inside}"
    if got.shape != expected.shape:
        return shape_fact(tuple(got.shape), tuple(expected.shape), sizes)
    if got.dtype != expected.dtype:
        right = " The values themselves are right." if all_close(got, expected, tolerance) else ""
        return f"Its dtype is {_dtype(got)}; {_dtype(expected)} was expected.{right}"
    if all_close(got, expected, tolerance):
        return ""
    if not (got.is_floating_point() and expected.is_floating_point()):
        return _discrete_fact(got, expected)
    return relation(got, expected, sizes, tolerance)


def _is_unread(value: Any) -> bool:
    """Whether there is more to it than its type: why it was not read."""
    return isinstance(value, Opaque) and " " in value.type_name


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def named_shape(shape: tuple[int, ...], sizes: Sizes) -> str:
    """[2, 5] as "[2 (batch), 5 (key)]" where the sizes have names."""
    names: dict[int, str] = {}
    for name, size in sizes.items():
        names[size] = f"{names[size]}/{name}" if size in names else name
    parts = [f"{size} ({names[size]})" if size in names else str(size) for size in shape]
    return f"[{', '.join(parts)}]"


def shape_fact(
    got: tuple[int, ...], expected: tuple[int, ...], sizes: Sizes, what: str = ""
) -> str:
    """What a wrong shape looks like: axes exchanged, missing, added; `what` tells the input."""
    wanted = named_shape(expected, sizes)
    told = f"Its shape is {named_shape(got, sizes)}; {wanted} was expected{what}."
    if len(got) == len(expected) and sorted(got) == sorted(expected):
        moved = [axis for axis in range(len(got)) if got[axis] != expected[axis]]
        axes = " and ".join(str(axis) for axis in moved)
        return f"{told} Axes {axes} have each other's sizes."
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
    if not expected.dim():
        return f"It is {number(got)}; {number(expected)} was expected."
    if count == got.numel() == 1:
        return f"Its only entry is {number(got.flatten()[0])}, which is wrong."
    if got.dtype == torch.bool and count == got.numel():
        return "Every entry is the opposite of what was expected: True and False are exchanged."
    if got.dim() >= 2 and got.shape[-1] == got.shape[-2] and torch.equal(got.mT, expected):
        return "It is the expected result with its last two axes exchanged."
    first = wrong.nonzero()[0].tolist()
    return f"{entries(count, got)} {verb(count, 'differ')}, the first at index {first}."


def _tree_facts(got: Any, expected: Any) -> str:
    if type(got) is not type(expected):
        return f"It returns {kind_of(got)}; {kind_of(expected)} was expected."
    if isinstance(expected, (list, tuple)):
        if len(got) != len(expected):
            have = f"{len(got)} {'entry' if len(got) == 1 else 'entries'}"
            be = "was" if len(expected) == 1 else "were"
            return f"It has {have}; {len(expected)} {be} expected."
        for index, (a, b) in enumerate(zip(got, expected, strict=True)):
            if isinstance(a, Tensor) or isinstance(b, Tensor):
                if told := describe(a, b):
                    return f"Entry {index}: {told[0].lower()}{told[1:]}"
            elif a != b:
                return f"Entry {index} is {a!r}; {b!r} was expected."[:300]
        return ""
    if got == expected:
        return ""
    if isinstance(expected, dict):
        missing = [key for key in expected if key not in got]
        extra = [key for key in got if key not in expected]
        if missing or extra:
            return f"Its keys are {list(got)}; {list(expected)} were expected."[:300]
        key = next(key for key in expected if got[key] != expected[key])
        return f"{key}: {_tree_facts(got[key], expected[key])}"
    return f"It is {got!r}; {expected!r} was expected."[:300]
