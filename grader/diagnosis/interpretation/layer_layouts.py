"""Ways to read one layer: its attentions, its feed-forward network and its norms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from .attention_partition import attention_partitions, together
from .gradient_invariants import Invariants
from .interleaved import Replay, by_sum
from .layouts import FEWER_NORMS, NORMED, Parts, Sizes, roles_needed, tell_of
from .pair_layouts import linear_part, norm_part, partners_of, scales_and_shifts
from .parameters import Param, tokens_of

_MOST_ORDERS = 24


def feed_forward_layouts(
    weights: Sequence[Param],
    partners: Mapping[str, Param],
    hidden: int,
    inner: int,
    bias: bool = True,
    vectors: Sequence[Param] = (),
) -> Iterator[Parts]:
    """Two linear maps; which is the first is told by names and order, and both ways are tried.

    `bias`: without one it is another function, and no reading.
    """
    two = _in_order(_maps_between(weights, hidden, inner))
    for first, second in itertools.permutations(two, 2):
        shifts = [
            _bias_of_size(weight, rows, partners, vectors)
            for weight, rows in ((first, inner), (second, hidden))
        ]
        if bias and None in shifts:
            continue
        expand = linear_part(first, shifts[0], inner, hidden)
        contract = linear_part(second, shifts[1], hidden, inner)
        if expand is not None and contract is not None:
            yield {"expand": expand, "contract": contract}


def _maps_between(weights: Sequence[Param], hidden: int, inner: int) -> list[Param]:
    return [w for w in weights if sorted(w.shape) == sorted((hidden, inner))]


def _in_order(weights: Sequence[Param]) -> list[Param]:
    """The likely first map first, by names and places."""
    last = {"out", "down", "contract", "proj"}
    return sorted(weights, key=lambda w: (bool(tokens_of(w.name) & last), w.order))


def _bias_of_size(
    weight: Param, rows: int, partners: Mapping[str, Param], vectors: Sequence[Param]
) -> Param | None:
    """A map's bias: its partner, or the only vector of that size."""
    partner = partners.get(weight.name)
    if partner is not None and partner.numel == rows:
        return partner
    fitting = [v for v in vectors if v.shape == (rows,)]
    return fitting[0] if len(fitting) == 1 else None


def norm_orders(
    vectors: Sequence[Param], partners: Mapping[str, Param], norms: int, on: frozenset[str]
) -> list[tuple[Parts, ...]]:
    """What is no weight's bias as the layer's norms, in each order."""
    owned = {bias.name for bias in partners.values()}
    free = [v for v in vectors if v.name not in owned]
    found = scales_and_shifts(free)
    sure = [pair for pair in found if pair[0].ones]
    if len(sure) == norms and all(shift is not None for _, shift in sure):
        found = sure
    pairs = [norm_part(*pair) for pair in found]
    if "first_norm_twice" in on and not pairs:  # without numbers, any norm is like any other
        return []
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
    return orders


def layer_layouts(
    params: Sequence[Param],
    sizes: Sizes,
    invariants: Invariants | None = None,
    attentions: Sequence[str] = ("attention",),
    norms: Sequence[str] = ("norm1", "norm2"),
    on: frozenset[str] = frozenset(),
) -> Iterator[Parts]:
    """One encoder or decoder layer: attentions, a feed-forward network and norms."""
    inner = 4 * sizes.hidden if "inner_four_times" in on else sizes.intermediate
    if "norm_of_its_own" in on:
        norms = (*norms, f"norm{len(norms) + 1}")
    matrices = [p for p in params if p.numel >= sizes.width * sizes.hidden]
    flat = [p for p in params if len(p.shape) == 1]
    wide = [p for p in matrices if inner in p.shape]
    if len(_maps_between(wide, sizes.hidden, inner)) < 2 and "no_feed_forward" not in on:
        return
    partners = partners_of(matrices, flat)
    bias, shifts = "feed_forward_without_bias" not in on, [v for v in flat if v.shape == (inner,)]
    forwards: list[Parts] = list(
        feed_forward_layouts(wide, partners, sizes.hidden, inner, bias, shifts)
    ) or ([{}] if "no_feed_forward" in on else [])
    roles = roles_needed(on)
    invariants = invariants if tell_of(roles) else None
    projections = [p for p in matrices if inner not in p.shape]
    vectors = [v for v in flat if v.shape == (sizes.hidden,)]
    orders = norm_orders(vectors, partners, len(norms), on)
    for partitions in attention_partitions(projections, len(attentions), sizes, roles, invariants):
        found = together([partition.layouts(partners) for partition in partitions])
        bodies = Replay((one, forward) for one in found for forward in forwards)
        for place, (attention, forward) in by_sum([bodies] * len(orders)):
            chosen = dict(zip(attentions, attention, strict=True))
            yield {**chosen, **forward, **dict(zip(norms, orders[place], strict=True))}
