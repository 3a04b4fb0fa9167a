"""Whose are a layer's vectors: norms', a map's, an attention's? By names first; knows no values."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from torch import Tensor

from .gradient_invariants import Invariants, feeds
from .layouts import FEWER_NORMS, NORMED, Parts
from .pair_layouts import norm_part, scales_and_shifts
from .parameters import Param

_MOST_ORDERS, _MOST_COUNTED, _MOST_FREE = 24, 3000, 96


@dataclass(frozen=True)
class Ownership:
    """One answer: each norm's scale and shift, biases of weights, and what is left for others."""

    norms: tuple[Parts, ...]
    partners: Mapping[str, Param]  # weight name → its bias
    last_bias: Param | None  # of the feed-forward network
    extras: tuple[Param, ...]


def named_ownerships(
    vectors: Sequence[Param],
    partners: Mapping[str, Param],
    extras: Sequence[Param],
    norms: int,
    on: frozenset[str],
) -> Iterator[Ownership]:
    """Biases by their places and names; the rest are norms, in each order."""
    owned = {bias.name for bias in partners.values()}
    free = [v for v in vectors if v.name not in owned]
    found = scales_and_shifts(free)
    sure = [pair for pair in found if pair[0].ones]
    if len(sure) == norms and all(shift is not None for _, shift in sure):
        used = {p.name for pair in sure for p in pair if p is not None}
        extras = (*(v for v in free if v.name not in used), *extras)
        found = sure
    pairs = [norm_part(*pair) for pair in found]
    if "first_norm_twice" in on and not pairs:  # without numbers, any norm is like any other
        return
    orders = list(itertools.islice(itertools.permutations(pairs, norms), _MOST_ORDERS))
    if not orders:  # fewer norms than there should be
        fill: list[Parts] = [*pairs, *([{}] * norms)][:norms]
        absent = (f"no_{step}_norm" in on for step in NORMED.get(norms, ()))
        place = next((i for i, missing in enumerate(absent) if missing), norms)
        if place < norms and len(pairs) == norms - 1:
            fill = [*pairs[:place], {}, *pairs[place:]]
        orders = [tuple(fill)]
    if not on & {"norm_without_shift", "norm_without_parameters", *FEWER_NORMS}:
        orders = [order for order in orders if all("b" in part for part in order)]
    if "norm_without_parameters" in on:
        orders = [order for order in orders if not all("w" in part for part in order)]
    if "norm_without_shift" in on:
        orders = [order for order in orders if all("w" in part for part in order)]
    for order in orders:
        yield Ownership(order, partners, None, tuple(extras))


def free_ownerships(
    vectors: Sequence[Param],
    contract: Param | None,
    extras: Sequence[Param],
    norms: int,
    invariants: Invariants | None,
    drawn: Sequence[Sequence[Tensor]] = (),
) -> Iterator[Ownership]:
    """Any vector may be any norm's or the feed-forward network's last bias, likely ones first.

    What is left may be the attentions'. `drawn`: for each norm what the maps behind it may draw
    from it; where the gradients tell the norms by that, they are settled.
    """
    moving = _moving(vectors, norms, invariants)
    if len(moving) < 2 * norms + 1:
        return
    known = [] if invariants is None else _fed(moving, drawn, invariants)
    settled = itertools.chain.from_iterable(_with_last(moving, *way) for way in known)
    choices = settled if known else _choices(moving, norms)
    ranked: list[tuple[float, int, _Choice]] = []
    for chosen in itertools.islice(choices, _MOST_COUNTED):
        ranked.append((_cost(chosen, contract), len(ranked), chosen))
    ranked.sort(key=lambda entry: entry[:2])
    for _, _, (firsts, shifts, last) in ranked[:_MOST_FREE]:
        taken = {v.name for v in (*firsts, *shifts, last)}
        left = tuple(v for v in vectors if v.name not in taken)
        pairs = zip(firsts, shifts, strict=True)
        order = tuple({"w": scale.read(), "b": shift.read()} for scale, shift in pairs)
        yield Ownership(order, {}, last, (*left, *extras))


def _moving(vectors: Sequence[Param], norms: int, invariants: Invariants | None) -> list[Param]:
    """Those with a gradient; the rest can be nothing but an attention's.

    With one attention, its query has none in a call with a single token; with two, neither has the
    norm in front of the second.
    """
    if invariants is None:
        return list(vectors)
    pulls = invariants.single if norms == 2 else invariants.many
    size = {v.name: float(v.read()(pulls).abs().max()) for v in vectors}
    least = 1e-5 * max(size.values(), default=0.0)
    return [v for v in vectors if size[v.name] > least]


_Norms = tuple[tuple[Param, ...], tuple[Param, ...]]  # scales, shifts
_Choice = tuple[tuple[Param, ...], tuple[Param, ...], Param]  # and the last bias


def _fed(
    moving: Sequence[Param], drawn: Sequence[Sequence[Tensor]], invariants: Invariants
) -> list[_Norms]:
    """The vectors in front of each part of a pre-norm layer, either being the scale."""
    found = [
        [
            pair
            for pair in itertools.permutations(moving, 2)
            if any(feeds(*pair, amount, invariants) for amount in likely)
        ]
        for likely in drawn
    ]
    ways = itertools.product(*found) if found else ()
    return [
        (tuple(scale for scale, _ in way), tuple(shift for _, shift in way))
        for way in itertools.islice(ways, _MOST_ORDERS)
    ]


def _with_last(
    moving: Sequence[Param], scales: tuple[Param, ...], shifts: tuple[Param, ...]
) -> Iterator[_Choice]:
    taken = {v.name for v in (*scales, *shifts)}
    return ((scales, shifts, last) for last in moving if last.name not in taken)


def _choices(moving: Sequence[Param], norms: int) -> Iterator[_Choice]:
    ones = [v for v in moving if v.ones]
    for firsts in itertools.permutations(ones if len(ones) == norms else moving, norms):
        rest = [v for v in moving if v not in firsts]
        for shifts in itertools.permutations(rest, norms):
            yield from _with_last(moving, firsts, shifts)


def _cost(choice: _Choice, contract: Param | None) -> float:
    """How unlikely it is: scales and shifts unlike in name or far apart, norms out of order."""
    scales, shifts, last = choice
    cost = 0.0
    for scale, shift in zip(scales, shifts, strict=True):
        cost += _apart(scale, shift) + 2 * shift.ones
    cost += sum(one.order > other.order for one, other in itertools.pairwise(scales))
    cost += sum(one.order > other.order for one, other in itertools.pairwise(shifts))
    cost += 2 * last.ones + (0.0 if contract is None else _apart(contract, last))
    return cost


def _apart(one: Param, other: Param) -> float:
    """How unlike two parameters' names and places are, 0 to 2."""
    return _unlike(one.name, other.name) + min(1.0, abs(one.order - other.order) / 10)


@lru_cache(maxsize=4096)
def _unlike(one: str, other: str) -> float:
    return 1 - difflib.SequenceMatcher(None, one, other).ratio()
