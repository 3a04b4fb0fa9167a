"""Whose are a layer's vectors: norms', a map's, an attention's? By names first; knows no values."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .clues import Clues
from .layouts import FEWER_NORMS, Parts
from .pair_layouts import norm_pairs
from .parameters import Param

_MOST_ORDERS, _MOST_COUNTED, _MOST_FREE = 24, 6000, 96


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
    pairs = norm_pairs([v for v in vectors if v.name not in owned])
    orders = list(itertools.islice(itertools.permutations(pairs, norms), _MOST_ORDERS))
    if not orders:  # fewer norms than there should be
        fill: list[Parts] = [*pairs, *([{}] * norms)][:norms]
        orders = [tuple(reversed(fill) if "no_first_norm" in on else fill)]
    if not on & {"norm_without_shift", "norm_without_parameters", *FEWER_NORMS}:
        orders = [order for order in orders if all("b" in part for part in order)]
    for order in orders:
        yield Ownership(order, partners, None, tuple(extras))


def free_ownerships(
    vectors: Sequence[Param],
    contract: Param | None,
    extras: Sequence[Param],
    norms: int,
    clues: Clues | None,
) -> Iterator[Ownership]:
    """Any vector may be any norm's or the feed-forward network's last bias, likely ones first.

    What is left may be the attentions'. Vectors without a gradient in a call with a single token
    are theirs at once.
    """
    moving = [v for v in vectors if clues is None or bool(v.read()(clues.single).any())]
    if len(moving) < 2 * norms + 1:
        return
    ones = [v for v in moving if v.ones]
    scales = ones if len(ones) == norms else moving
    ranked: list[tuple[float, int, _Choice]] = []
    for chosen in itertools.islice(_choices(moving, scales, norms), _MOST_COUNTED):
        ranked.append((_cost(chosen, contract), len(ranked), chosen))
    ranked.sort(key=lambda entry: entry[:2])
    for _, _, (firsts, shifts, last) in ranked[:_MOST_FREE]:
        taken = {v.name for v in (*firsts, *shifts, last)}
        left = tuple(v for v in vectors if v.name not in taken)
        pairs = zip(firsts, shifts, strict=True)
        order = tuple({"w": scale.read(), "b": shift.read()} for scale, shift in pairs)
        yield Ownership(order, {}, last, (*left, *extras))


_Choice = tuple[tuple[Param, ...], tuple[Param, ...], Param]  # scales, shifts, the last bias


def _choices(moving: Sequence[Param], scales: Sequence[Param], norms: int) -> Iterator[_Choice]:
    for firsts in itertools.permutations(scales, norms):
        rest = [v for v in moving if v not in firsts]
        for shifts in itertools.permutations(rest, norms):
            for last in rest:
                if last not in shifts:
                    yield firsts, shifts, last


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
    alike = difflib.SequenceMatcher(None, one.name, other.name).ratio()
    return 1 - alike + min(1.0, abs(one.order - other.order) / 10)
