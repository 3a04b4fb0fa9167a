"""Reads what no weight's place or name lays claim to as an attention's biases; knows no values."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from torch import Tensor

from .gradient_invariants import (
    Invariants,
    agree,
    bias_fits_output,
    flows_right,
    shifted,
    turned,
    turned_back,
)
from .orders import orders
from .parameters import Layout, Param, Read, Values, hinted, virtual

_MOST, _MOST_SLOTS, _MOST_SPARE = 24, 12, 2


def with_biases(
    layout: Layout,
    extras: Sequence[Param],
    roles: str,
    heads: int,
    width: int,
    invariants: Invariants | None,
    confident: bool = False,
) -> Iterator[Layout]:
    """The layout with each likely way to hand `extras` to the roles that lack a bias.

    `confident`: the weights are those that the gradients speak for; they settle the biases too.
    """
    slots = _slots(extras, heads, width)
    lacking = [role for role in roles if role + "_b" not in layout]
    if not slots or not lacking:
        yield layout
        return
    if confident and invariants is not None:
        solved = list(_solved(layout, lacking, [read for _, read in slots], invariants))
        if solved:
            yield from solved
            return
    if len(slots) > len(lacking):  # as where a projection is not used
        slots = _slots([extra for extra in extras if not extra.unused], heads, width)
    if len(slots) > len(lacking) + _MOST_SPARE:
        yield layout
        return
    if invariants is not None and not flows_right(layout, invariants, "b"):
        return
    for some in itertools.combinations(slots, min(len(slots), len(lacking))):
        yield from _handed_out(layout, some, lacking, invariants)
    if len(slots) > len(lacking):
        yield layout


def _handed_out(
    layout: Layout,
    slots: Sequence[tuple[str, Read]],
    lacking: Sequence[str],
    invariants: Invariants | None,
) -> Iterator[Layout]:
    """The layout with each of these vectors as some role's bias."""
    moving = (
        None if invariants is None else [bool(read(invariants.single).any()) for _, read in slots]
    )
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
    layout: Layout, lacking: Sequence[str], slots: Sequence[Read], invariants: Invariants
) -> Iterator[Layout]:
    """The layout with those vectors that the gradients show to be its biases.

    A key's bias changes no softmax over keys; without a gradient it is left out.
    """
    pulled = [
        slot for slot in slots if bool((slot(invariants.many).abs() > _least(invariants)).any())
    ]

    def either(role: str) -> list[Read | None]:
        return [*pulled, None] if role in lacking else [None]

    def terms(role: str) -> list[tuple[Read | None, Tensor]]:
        alone = turned(layout, role, invariants)
        own = [(bias, None if bias is None else shifted(bias, invariants)) for bias in either(role)]
        return [(bias, alone if term is None else alone + term) for bias, term in own]

    values = terms("v") if {"v_w", "o_w"} <= layout.keys() else []
    behind = turned_back(layout, invariants) if values else None
    fitting = [bias for bias, term in values if behind is None or agree(term, behind)]
    for asking in _asking(layout, terms) if fitting or not values else ():
        used = [asking.get("q_b"), asking.get("k_b")]
        for value in (
            v for v in (fitting if values else either("v")) if v is None or v not in used
        ):
            full = asking if value is None else {**asking, "v_b": value}
            left = [o for o in pulled if "o" in lacking and o not in (*used, value)]
            ends = [_flat(o) for o in left if bias_fits_output(full, _flat(o), invariants)]
            yield from ({**full, "o_b": end} for end in ends)
            yield full


def _asking(
    layout: Layout, terms: Callable[[str], list[tuple[Read | None, Tensor]]]
) -> Iterator[Layout]:
    """The layout with one vector as the query's bias and one as the key's, or with none."""
    there = [role for role in "qk" if role + "_w" in layout]
    if len(there) < 2:
        for role in there:
            yield from (layout if b is None else {**layout, role + "_b": b} for b, _ in terms(role))
        return
    queries = terms("q")
    for key, other in reversed(terms("k")):
        for query, one in queries:
            if (query is None or query is not key) and agree(one, other.transpose(1, 2)):
                given = {"q_b": query, "k_b": key}
                yield {**layout, **{name: read for name, read in given.items() if read is not None}}


def _least(invariants: Invariants) -> float:
    """Below this a gradient is none."""
    return 1e-6 * max((float(g.abs().max()) for g in invariants.many.values()), default=0.0)


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
