"""Ways to read one layer: its attentions, its feed-forward network and its norms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from torch import Tensor

from .attention_partition import AttentionPartition, attention_partitions, together
from .gradient_invariants import Invariants, drawn_from
from .interleaved import Replay, by_sum, in_turns
from .layouts import Parts, Sizes, roles_needed, tell_of
from .ownership import Ownership, free_ownerships, named_ownerships
from .pair_layouts import linear_part, partners_of
from .parameters import Layout, Param, tokens_of
from .views import along, layer_views

_AT_ONCE, _MOST_CONFIDENT = 16, 8
_Reading = tuple[tuple[Layout, ...], Parts, tuple[Parts, ...]]  # attentions, feed-forward, norms


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


class _Layer:
    """One layer's parameters, sorted by what they may be."""

    def __init__(
        self, params: Sequence[Param], sizes: Sizes, inner: int, attentions: int, on: frozenset[str]
    ) -> None:
        self._sizes, self._inner, self._on = sizes, inner, on
        matrices = [p for p in params if p.numel >= sizes.width * sizes.hidden]
        flat = [p for p in params if len(p.shape) == 1]
        self._wide = [p for p in matrices if inner in p.shape]
        self._inner_shifts = [v for v in flat if v.shape == (inner,)]
        projections = [p for p in matrices if inner not in p.shape]
        unit = sizes.heads * sizes.width * sizes.hidden
        self.projections = [
            part
            for p in projections  # of several attentions in one, each by itself
            for part in (along(p) if p.numel == 4 * attentions * unit > 4 * unit else [p])
        ]
        self.partners = partners_of(matrices, flat)
        self.vectors = [v for v in flat if v.shape == (sizes.hidden,)]
        kept = {p.name for p in (*matrices, *self.vectors, *self._inner_shifts)}
        kept |= {bias.name for bias in self.partners.values()}
        self.others = [p for p in params if p.name not in kept]

    def has_feed_forward(self) -> bool:
        """Whether there are the two linear maps of one."""
        return len(_maps_between(self._wide, self._sizes.hidden, self._inner)) > 1

    @property
    def contract(self) -> Param | None:
        """What is likely the second map of the feed-forward network."""
        return _in_order(self._wide)[-1] if self._wide else None

    def readings(
        self, partitions: Sequence[AttentionPartition], owners: Sequence[Ownership]
    ) -> Iterator[_Reading]:
        """Attentions and feed-forward networks with each answer to whose the vectors are."""
        known: dict[int, Replay[tuple[tuple[Layout, ...], Parts]]] = {}
        sources = []
        for owner in owners:
            key = id(owner.partners) if owner.last_bias is None else id(owner)
            if key not in known:
                known[key] = Replay(self._bodies(partitions, owner))
            sources.append(known[key])
        for place, (attention, forward) in by_sum(sources):
            yield attention, forward, owners[place].norms

    def freely(
        self, partitions: Sequence[AttentionPartition], norms: int, invariants: Invariants | None
    ) -> Iterator[_Reading]:
        """Readings in which names tell nothing of whose the vectors are."""
        likely = invariants is not None and all(partition.likely() for partition in partitions)
        drawn = self._drawn(partitions, invariants) if invariants is not None and likely else []
        owners = free_ownerships(self.vectors, self.contract, self.others, norms, invariants, drawn)
        yield from self.readings(partitions, list(owners))

    def _drawn(
        self, partitions: Sequence[AttentionPartition], invariants: Invariants
    ) -> list[list[Tensor]]:
        """What each part of a pre-norm layer may draw from the norm in front of it."""
        found = []
        for index, partition in enumerate(partitions):
            ways = ["qkv"] if index == 0 else ["q", "k"]  # a cross-attention asks, one way round
            confident = itertools.product(
                itertools.islice(partition.confident(), _MOST_CONFIDENT), ways
            )
            found.append(
                [
                    drawn_from([layout[f"{r}_w"] for r in way], invariants)
                    for layout, way in confident
                ]
            )
        maps = (linear_part(w, None, self._inner, self._sizes.hidden) for w in self._wide)
        found.append([drawn_from([part["w"]], invariants) for part in maps if part is not None])
        return found

    def _bodies(
        self, partitions: Sequence[AttentionPartition], owner: Ownership
    ) -> Iterator[tuple[tuple[Layout, ...], Parts]]:
        forwards = self._forwards(owner)
        found = [partition.layouts(owner.partners, owner.extras) for partition in partitions]
        for attention in together(found) if forwards else ():
            for forward in forwards:
                yield attention, forward

    def _forwards(self, owner: Ownership) -> list[Parts]:
        partners = dict(owner.partners)
        if owner.last_bias is not None:
            partners.update({weight.name: owner.last_bias for weight in self._wide})
        bias = "feed_forward_without_bias" not in self._on
        size = self._sizes.hidden, self._inner
        found = feed_forward_layouts(self._wide, partners, *size, bias, self._inner_shifts)
        return list(found) or ([{}] if "no_feed_forward" in self._on else [])


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
    layer = _Layer(
        layer_views(params, replace(sizes, intermediate=inner)), sizes, inner, len(attentions), on
    )
    if not (layer.has_feed_forward() or "no_feed_forward" in on):
        return
    roles = roles_needed(on)
    invariants = invariants if tell_of(roles) else None
    partitions = attention_partitions(layer.projections, len(attentions), sizes, roles, invariants)
    named = named_ownerships(layer.vectors, layer.partners, layer.others, len(norms), on)
    owners = list(named)
    ways = [layer.readings(group, owners) for group in partitions]
    if not on:
        ways += [layer.freely(group, len(norms), invariants) for group in partitions]
    for attention, forward, order in in_turns(ways, _AT_ONCE):
        chosen = dict(zip(attentions, attention, strict=True))
        yield {**chosen, **forward, **dict(zip(norms, order, strict=True))}
