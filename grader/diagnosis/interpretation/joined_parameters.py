"""Roles in pieces of several sizes as one parameter for each role; knows no values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from .gradient_invariants import Invariants
from .interleaved import in_turns
from .layouts import Sizes
from .module_subject import Layouts, Switches
from .parameters import Param, together

_AT_ONCE = 24
_RUNS = (2, 3, 4)


def or_in_pieces(layouts: Layouts, sizes: Sizes) -> Layouts:
    """The same readings, then those with pieces put together."""

    def found(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Any]:
        ways = [params, *_put_together(params, sizes)]
        yield from in_turns([layouts(way, invariants, on) for way in ways], _AT_ONCE)

    return found


def _put_together(params: Sequence[Param], sizes: Sizes) -> Iterator[Sequence[Param]]:
    """The parameters with what belongs together as one, if there is such."""
    left, made = list(params), []
    for by_name in (True, False):
        for group in list(_groups(left, sizes, by_name)):
            axis = _axis_of(group, sizes, by_name)
            if axis is None:
                continue
            pieces = [group, *_biases(left, group, axis)]
            owner = f"joined.{group[0].owner or group[0].name}"
            made.append(together(group, f"{owner}.{group[0].leaf}", axis))
            for bias in pieces[1:]:
                joint = -1 if bias[0].shape == (sizes.hidden,) else 0
                made.append(together(bias, f"{owner}.bias", joint))
            taken = {piece.name for own in pieces for piece in own}
            left = [param for param in left if param.name not in taken]
    if made:
        yield [*left, *made]


def _groups(params: Sequence[Param], sizes: Sizes, by_name: bool) -> Iterator[list[Param]]:
    """Matrices with an axis of the hidden size in common whose names differ in a number alone.

    Without names, some that follow each other and make a map of the feed-forward network.
    """
    groups: dict[object, list[Param]] = {}
    for param in params:
        common = tuple(n if n == sizes.hidden else 0 for n in param.shape)
        if len(common) == 2 and common.count(0) == 1:
            name = re.sub(r"\d+", "", param.name) if by_name else ""
            groups.setdefault((name, common), []).append(param)
    for group in groups.values():
        if by_name:
            yield group
            continue
        runs = [group[i : i + n] for n in _RUNS for i in range(len(group) - n + 1)]
        wide = (run for run in runs if _axis_of(run, sizes, by_name) is not None)
        yield from itertools.islice(wide, 1)


def _axis_of(group: Sequence[Param], sizes: Sizes, by_name: bool) -> int | None:
    """Along which axis they make one map; heads one by one are read elsewhere."""
    for axis in (0, 1) if len(group) > 1 else ():
        lengths = [param.shape[axis] for param in group]
        if {param.shape[1 - axis] for param in group} != {sizes.hidden}:
            continue
        if sum(lengths) == sizes.intermediate:
            return axis
        if by_name and sum(lengths) == sizes.hidden and lengths != [sizes.width] * sizes.heads:
            return axis
    return None


def _biases(params: Sequence[Param], group: Sequence[Param], axis: int) -> Iterator[list[Param]]:
    """One vector for each of them: theirs by module, or all that a numbered name is given to."""
    for along in (axis, 1 - axis):
        own = [
            next((v for v in params if v.owner == w.owner and v.shape == (w.shape[along],)), None)
            for w in group
        ]
        found = [vector for vector in own if vector is not None]
        if found and (len(found) == len(group) or along != axis):  # one bias does for a sum
            yield found
            return
    named: dict[str, list[Param]] = {}
    for vector in params:
        if len(vector.shape) == 1:
            named.setdefault(re.sub(r"\d+", "", vector.name), []).append(vector)
    for found in named.values():
        if [vector.shape for vector in found] == [(weight.shape[axis],) for weight in group]:
            yield found
            return
