"""Parts of parameters that hold several things, as parameters of their own; knows no values.

Norms stacked in one tensor, a bias as one more row of its weight, two maps or all layers behind one
axis in front: each is cut into what the rest of the search knows how to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .gradient_invariants import Invariants
from .interleaved import in_turns
from .layouts import Sizes
from .module_subject import Layouts, Switches
from .parameters import Param, together

_MOST_ROWS, _AT_ONCE = 12, 24


def layer_views(params: Sequence[Param], sizes: Sizes) -> list[Param]:
    """The parameters of one layer, or of a part of one, in pieces that have one use each."""
    found: list[Param] = []
    for param in biases_apart(params, [n for n in (sizes.hidden, sizes.intermediate) if n]):
        pair = sorted((sizes.hidden, sizes.intermediate))
        if sizes.intermediate and sorted(param.shape) == sorted((2, *pair)):
            axis = param.shape.index(2)
            found += along(param, axis)
        elif _stacked_vectors(param, sizes):
            found += vectors_of(param, sizes.hidden)
        else:
            found.append(param)
    return found


def _stacked_vectors(param: Param, sizes: Sizes) -> bool:
    """Whether a tensor is a few vectors of the hidden size, and no head's projection."""
    if len(param.shape) < 2 or sizes.hidden not in (param.shape[0], param.shape[-1]):
        return False
    count, rest = divmod(param.numel, sizes.hidden)
    return not rest and count <= _MOST_ROWS and count % sizes.width != 0


def vectors_of(param: Param, hidden: int) -> list[Param]:
    """The vectors of the hidden size that a tensor holds, in order."""
    if len(param.shape) < 2:
        return [param]
    axis = 0 if param.shape[-1] == hidden else len(param.shape) - 1
    return [vector for row in along(param, axis) for vector in vectors_of(row, hidden)]


def along(param: Param, axis: int = 0) -> list[Param]:
    """A tensor's pieces along one axis."""
    return [
        param.part(axis, index, 1, f"{param.name}.{index}", param.owner)
        for index in range(param.shape[axis])
    ]


def biases_apart(params: Sequence[Param], inputs: Sequence[int], first: int = 0) -> Iterator[Param]:
    """Weights with one row or column more than they have inputs, as a weight and its bias.

    `first`: where the weight begins; the bias is at the other end.
    """
    for param in params:
        axes = [a for a, n in enumerate(param.shape) if n - 1 in inputs]
        if len(param.shape) < 2 or len(axes) != 1:
            yield param
            continue
        axis, length = axes[0], param.shape[axes[0]] - 1
        last = 0 if first else length
        yield param.part(axis, first, length, param.name + ".weight", param.name)
        yield param.part(axis, last, 1, param.name + ".bias", param.name)


def either_end(layouts: Layouts, inputs: Sequence[int]) -> Layouts:
    """The same readings, then those with each bias as the first row of its weight, not the last."""

    def found(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Any]:
        other = list(biases_apart(params, inputs, first=1))
        ways = [params] if len(other) == len(params) else [params, other]
        yield from in_turns([layouts(way, invariants, on) for way in ways], _AT_ONCE)

    return found


def labels_together(params: Sequence[Param], labels: int, hidden: int) -> list[Param]:
    """As many vectors of a list as there are labels as one matrix, and their numbers as one vector.

    Norms come in lists too, but begin as ones and zeros, and biases stand beside their weights.
    """
    beside = {p.owner for p in params if len(p.shape) > 1}
    lists: dict[tuple[str, tuple[int, ...]], list[Param]] = {}
    for param in params:
        maps = param.shape in ((hidden,), (hidden + 1,)) and not (param.ones or param.zeros)
        if (maps or not param.shape) and param.owner not in beside:
            lists.setdefault((re.sub(r"\d+", "", param.name), param.shape), []).append(param)
    whole = {name: own for name, own in lists.items() if len(own) == labels}
    taken = {p.name for own in whole.values() for p in own}
    rest = [p for p in params if p.name not in taken]
    return [*rest, *(together(own, name) for (name, _), own in whole.items())]


def layers_apart(params: Sequence[Param], count: int) -> list[Param]:
    """Parameters with an axis in front for the layers, as if each layer had its own in a list."""
    found = []
    for param in params:
        if len(param.shape) < 2 or param.shape[0] != count:
            found.append(param)
            continue
        for index in range(count):
            owner = f"layers.{index}" + (f".{param.owner}" if param.owner else "")
            found.append(param.part(0, index, 1, f"{owner}.{param.leaf}", owner))
    return found
