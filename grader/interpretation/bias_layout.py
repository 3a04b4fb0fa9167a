"""Reads what no weight's place or name lays claim to as an attention's biases; knows no values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache

from torch import Tensor

from .clues import (
    Clues,
    bias_fits_output,
    flows_right,
    query_fits_key,
    value_fits_output,
)
from .orders import orders
from .parameters import Layout, Param, Read, Values, hinted, virtual

_MOST, _MOST_SLOTS = 24, 12


def with_biases(
    layout: Layout,
    extras: Sequence[Param],
    roles: str,
    heads: int,
    width: int,
    clues: Clues | None,
    told: bool = False,
) -> Iterator[Layout]:
    """The layout with each likely way to hand `extras` to the roles that lack a bias.

    `told`: the weights are those that the gradients speak for, so that they tell the biases too.
    """
    slots = _slots(extras, heads, width)
    lacking = [role for role in roles if role + "_b" not in layout]
    if not slots or not lacking:
        yield layout
        return
    if told and clues is not None:
        solved = list(_solved(layout, lacking, [read for _, read in slots], clues))
        if solved:
            yield from solved
            return
    if len(slots) > len(lacking):
        yield layout
        return
    moving = None if clues is None else [bool(read(clues.single).any()) for _, read in slots]
    if clues is not None and not flows_right(layout, clues, "b"):
        return
    for way in _ways(tuple(name for name, _ in slots), tuple(lacking)):
        if moving is None or all(m == (role in "vo") for m, role in zip(moving, way, strict=True)):
            full = dict(layout)
            for role, (_, read) in zip(way, slots, strict=True):
                full[role + "_b"] = _flat(read) if role == "o" else read
            yield full


@lru_cache(1024)  # names are a learner's
def _ways(names: tuple[str, ...], lacking: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The roles of as many vectors, the likeliest ways first."""
    ways = itertools.permutations(lacking, len(names))
    return sorted(ways, key=lambda way: _cost(names, way))[:_MOST]


def _solved(
    layout: Layout, lacking: Sequence[str], slots: Sequence[Read], clues: Clues
) -> Iterator[Layout]:
    """The layout with those vectors that the gradients show to be its biases.

    A key's bias changes no softmax over keys; without a gradient it is left out.
    """
    pulled = [slot for slot in slots if bool((slot(clues.many).abs() > _least(clues)).any())]

    def either(role: str) -> list[Read | None]:
        return [*pulled, None] if role in lacking else [None]

    for asking in _pairs(layout, ("q_b", either("q")), ("k_b", either("k"))):
        if not query_fits_key(asking, clues, exact=True):
            continue
        used = [asking.get("q_b"), asking.get("k_b")]
        for value in (v for v in either("v") if v is None or v not in used):
            full = asking if value is None else {**asking, "v_b": value}
            if not value_fits_output(full, clues, exact=True):
                continue
            left = [o for o in pulled if "o" in lacking and o not in (*used, value)]
            ends = [_flat(o) for o in left if bias_fits_output(full, _flat(o), clues)]
            yield from ({**full, "o_b": end} for end in ends)
            yield full


def _least(clues: Clues) -> float:
    """Below this a gradient is none."""
    return 1e-6 * max((float(g.abs().max()) for g in clues.many.values()), default=0.0)


def _pairs(
    layout: Layout, one: tuple[str, list[Read | None]], other: tuple[str, list[Read | None]]
) -> Iterator[Layout]:
    """The layout with one vector as each, two different ones or none."""
    for second in reversed(other[1]):
        for first in one[1]:
            if first is None or first is not second:
                given = {one[0]: first, other[0]: second}
                yield {**layout, **{name: read for name, read in given.items() if read is not None}}


def _slots(extras: Sequence[Param], heads: int, width: int) -> list[tuple[str, Read]]:
    """A name, if there is one, and a reading [heads, head_dim] for each role's worth of numbers."""
    families: dict[tuple[object, ...], list[Param]] = {}
    for extra in extras:  # what holds several roles' is cut by itself, not as one of a list
        own = (extra.name,) if extra.numel > heads * width else ()
        families.setdefault((*extra.shape, *own), []).append(extra)
    found: list[tuple[str, Read]] = []
    for params in families.values():
        count, rest = divmod(len(params) * params[0].numel, heads * width)
        if rest or not 0 < count <= _MOST_SLOTS:
            continue
        read, shape = virtual(params)
        sizes = tuple((s, n) for s, n in (("T", count), ("H", heads), ("D", width)) if n > 1)
        fitting = orders(shape, sizes)
        if not fitting:
            continue
        for index in range(count):
            name = params[index].name if len(params) == count else ""
            found.append((name, _read(read, fitting[0], dict(sizes), index, heads)))
    return found


def _read(
    read: Read, order: tuple[str, ...], table: dict[str, int], index: int, heads: int
) -> Read:
    lengths = [table[symbol] for symbol in order]
    to = [order.index(symbol) for symbol in "THD" if symbol in order]

    def role(values: Values) -> Tensor:
        whole = read(values).reshape(lengths).permute(to)
        return (whole[index] if "T" in order else whole).reshape(heads, -1)

    return role


def _flat(read: Read) -> Read:
    return lambda values: read(values).flatten()


def _cost(names: Sequence[str], way: Sequence[str]) -> int:
    against = 0
    for role, name in zip(way, names, strict=True):
        if name:
            against += 4 * (max(hinted(name, other) for other in "qkvo") - hinted(name, role))
    places = ["qkvo".index(role) for role in way]
    return against + sum(a > b for a, b in itertools.pairwise(places))
