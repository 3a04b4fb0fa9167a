"""Ways to read one layer, and to part a stack's parameters into layers; knows no values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from .attention_layout import attention_layouts
from .clues import Clues
from .layouts import FEWER_NORMS, Parts, Sizes, roles_needed
from .pair_layouts import linear_part, norm_pairs, partners_of
from .parameters import Layout, Param, tokens_of


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
    two = [w for w in weights if sorted(w.shape) == sorted((hidden, inner))]
    if len(two) < 2:
        return
    two = sorted(
        two, key=lambda w: (bool(tokens_of(w.name) & {"out", "down", "contract", "proj"}), w.order)
    )
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


def _bias_of_size(
    weight: Param, rows: int, partners: Mapping[str, Param], vectors: Sequence[Param]
) -> Param | None:
    """A map's bias: its partner, or the only vector of that size."""
    partner = partners.get(weight.name)
    if partner is not None and partner.numel == rows:
        return partner
    fitting = [v for v in vectors if v.shape == (rows,)]
    return fitting[0] if len(fitting) == 1 else None


def layer_layouts(
    params: Sequence[Param],
    sizes: Sizes,
    clues: Clues | None = None,
    attentions: Sequence[str] = ("attention",),
    norms: Sequence[str] = ("norm1", "norm2"),
    on: frozenset[str] = frozenset(),
) -> Iterator[Parts]:
    """One encoder or decoder layer: attentions, a feed-forward network and norms."""
    inner_size = 4 * sizes.hidden if "inner_four_times" in on else sizes.intermediate
    matrices = [p for p in params if p.numel >= sizes.width * sizes.hidden]
    vectors = [p for p in params if len(p.shape) == 1]
    inner = [p for p in matrices if inner_size in p.shape]
    projections = [p for p in matrices if inner_size not in p.shape]
    partners = partners_of(matrices, vectors)
    biases = {bias.name for bias in partners.values()}
    loose = [v for v in vectors if v.shape == (sizes.hidden,) and v.name not in biases]
    kept = {p.name for p in (*matrices, *loose)} | biases
    extras = [p for p in params if p.name not in kept and p.shape != (inner_size,)]
    pairs = norm_pairs(loose)
    sites = _attention_sites(projections, len(attentions), sizes)
    bias = "feed_forward_without_bias" not in on
    forwards = list(
        feed_forward_layouts(
            inner,
            partners,
            sizes.hidden,
            inner_size,
            bias,
            [v for v in vectors if v.shape == (inner_size,)],
        )
    )
    if "no_feed_forward" in on:
        forwards = forwards or [{}]
    if not forwards or not sites:
        return
    roles = roles_needed(on)
    if roles != "qkvo":
        clues = None
    orders = list(itertools.permutations(pairs, len(norms))) if len(pairs) >= len(norms) else []
    orders = orders[:24]
    if not orders:  # fewer norms than there should be
        fill: list[Parts] = [*pairs, *([{}] * len(norms))][: len(norms)]
        orders = [tuple(fill)]
        if "no_first_norm" in on:
            orders = [tuple(reversed(fill))]
    if not on & {"norm_without_shift", "norm_without_parameters", *FEWER_NORMS}:
        orders = [order for order in orders if all("b" in part for part in order)]
    for chosen_sites in sites:
        found = [
            attention_layouts(
                site, partners, sizes.heads, sizes.width, sizes.hidden, roles, clues, extras
            )
            for site in chosen_sites
        ]
        for attention in _together(found):
            for forward in forwards:
                for order in orders:
                    chosen = dict(zip(attentions, attention, strict=True))
                    yield {**chosen, **forward, **dict(zip(norms, order, strict=True))}


def _together(found: Sequence[Iterator[Layout]]) -> Iterator[tuple[Layout, ...]]:
    """One reading for each attention, likely combinations first."""
    if len(found) == 1:
        yield from ((layout,) for layout in found[0])
        return
    options = [list(itertools.islice(layouts, 8)) for layouts in found]
    for picks in _by_sum([len(option) for option in options]):
        yield tuple(option[pick] for option, pick in zip(options, picks, strict=True))


def _by_sum(lengths: Sequence[int]) -> list[tuple[int, ...]]:
    """Index tuples, small ones first."""
    return sorted(itertools.product(*map(range, lengths)), key=sum)


def _attention_sites(
    projections: Sequence[Param], count: int, sizes: Sizes
) -> list[tuple[list[Param], ...]]:
    """The projections, parted among the attentions of a layer, likely ways first."""
    if count == 1:
        return [(list(projections),)]
    unit = sizes.heads * sizes.width * sizes.hidden
    groups: dict[str, list[Param]] = {}
    for depth in range(1, 6):
        groups = {}
        for param in projections:
            groups.setdefault(".".join(param.name.split(".")[:depth]), []).append(param)
        if len(groups) == count and all(
            sum(p.numel for p in group) == 4 * unit for group in groups.values()
        ):
            break
    else:
        groups, chunk, total = {}, 0, 0
        for param in projections:
            groups.setdefault(str(chunk), []).append(param)
            total += param.numel
            if total >= 4 * unit * (chunk + 1):
                chunk += 1
    if len(groups) != count:
        return []
    found = list(itertools.permutations(groups.values()))

    def oddity(parts: tuple[list[Param], ...]) -> int:
        return sum("cross" in p.name.lower() or "enc" in p.name.lower() for p in parts[0])

    return sorted(found, key=oddity)


def layer_groups(params: Sequence[Param], count: int, inner: int) -> list[list[Param]] | None:
    """The parameters of each of `count` equal layers; None where no grouping comes out even."""
    if count == 0:
        return []
    found: list[list[list[Param]]] = []
    ways: list[Callable[[str], str]] = [
        *((lambda name, d=depth: ".".join(name.split(".")[:d])) for depth in range(1, 8)),
        _first_number,  # parallel lists: attentions.0, norms.0 …
        _last_digits,  # layer_0, layer_1 …
    ]
    for key in ways:
        groups: dict[str, list[Param]] = {}
        for param in params:
            groups.setdefault(key(param.name), []).append(param)
        whole = [group for group in groups.values() if _is_layer(group, inner)]
        if len(whole) == count and len({tuple(p.shape for p in group) for group in whole}) == 1:
            found.append(whole)
    if not found:
        found = _repeated_runs(params, count, inner)
    # The tightest way: a group that holds a layer may hold the embeddings around it too.
    return min(found, key=lambda whole: sum(map(len, whole)), default=None)


def _repeated_runs(params: Sequence[Param], count: int, inner: int) -> list[list[list[Param]]]:
    """Ways in which `count` repetitions of one sequence of shapes stand in order."""
    shapes = [p.shape for p in params]
    found = []
    for length in range(5, len(params) // count + 1):
        for start in range(len(params) - count * length + 1):
            starts = [start + index * length for index in range(count)]
            chunks = [shapes[s : s + length] for s in starts]
            if all(chunk == chunks[0] for chunk in chunks):
                groups = [list(params[s : s + length]) for s in starts]
                if all(_is_layer(group, inner) for group in groups):
                    found.append(groups)
    return found[:1]


def _is_layer(group: Sequence[Param], inner: int) -> bool:
    """Whether a group holds a feed-forward network and something to attend with."""
    wide = [p for p in group if inner in p.shape]
    rest = [p for p in group if inner not in p.shape and len(p.shape) > 1]
    return bool(wide and rest)


def _first_number(name: str) -> str:
    return next((part for part in name.split(".") if part.isdigit()), "")


def _last_digits(name: str) -> str:
    found = re.search(r"(\d+)(?:\.|$)", name)
    return found.group(1) if found else ""
