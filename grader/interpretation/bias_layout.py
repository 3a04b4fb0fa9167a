"""Reads what no weight's place or name lays claim to as an attention's biases; knows no values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from torch import Tensor

from .clues import Clues, flows_right
from .orders import orders
from .parameters import Layout, Param, Read, Values, hinted, virtual

_MOST = 24


def with_biases(
    layout: Layout,
    extras: Sequence[Param],
    roles: str,
    heads: int,
    width: int,
    clues: Clues | None,
) -> Iterator[Layout]:
    """The layout with each likely way to hand `extras` to the roles that lack a bias."""
    slots = _slots(extras, heads, width)
    lacking = [role for role in roles if role + "_b" not in layout]
    if not slots or len(slots) > len(lacking):
        yield layout
        return
    ways = sorted(itertools.permutations(lacking, len(slots)), key=lambda way: _cost(slots, way))
    for way in ways[:_MOST]:
        full = dict(layout)
        for role, (_, read) in zip(way, slots, strict=True):
            full[role + "_b"] = _flat(read) if role == "o" else read
        if clues is None or flows_right(full, clues, "b"):
            yield full


def _slots(extras: Sequence[Param], heads: int, width: int) -> list[tuple[str, Read]]:
    """A name, if there is one, and a reading [heads, head_dim] for each role's worth of numbers."""
    families: dict[tuple[int, ...], list[Param]] = {}
    for extra in extras:
        families.setdefault(extra.shape, []).append(extra)
    found: list[tuple[str, Read]] = []
    for params in families.values():
        count, rest = divmod(len(params) * params[0].numel, heads * width)
        if rest or not 0 < count <= 4:
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


def _cost(slots: Sequence[tuple[str, Read]], way: Sequence[str]) -> int:
    against = 0
    for role, (name, _) in zip(way, slots, strict=True):
        if name:
            against += 4 * (max(hinted(name, other) for other in "qkvo") - hinted(name, role))
    places = ["qkvo".index(role) for role in way]
    return against + sum(a > b for a, b in itertools.pairwise(places))
