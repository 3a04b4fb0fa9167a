"""Ways to read a module's parameters as linear maps, norms, layers and stacks; knows no values."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .attention_layout import attention_layouts
from .parameters import Layout, Param, Read, Values, tokens_of

Parts = dict[str, Any]
_WEIGHT_WORDS = {"weight", "weights", "w", "kernel", "mat", "matrix"}
_BIAS_WORDS = {"bias", "b", "biases"}
_SCALE_WORDS = {"weight", "gamma", "scale", "g", "a", "gain", "w"}
_SHIFT_WORDS = {"bias", "beta", "shift", "b", "offset"}


@dataclass(frozen=True)
class Sizes:
    """What a config asks for; all pairwise different, so that a wrong axis cannot pass."""

    hidden: int
    heads: int
    width: int
    intermediate: int


_FEWER_NORMS = {
    "no_norms",
    "no_first_norm",
    "no_second_norm",
    "first_norm_twice",
    "parallel",
    "no_feed_forward",
}
_ROLES = {
    "one_projection": "qo",
    "keys_from_query_projection": "qvo",
    "queries_with_queries": "qvo",
    "k_not_projected": "qvo",
    "queries_from_key_projection": "kvo",
    "keys_with_keys": "kvo",
    "q_not_projected": "kvo",
    "values_from_key_projection": "qko",
    "values_from_query_projection": "qko",
    "v_not_projected": "qko",
    "keys_as_values": "qko",
    "queries_as_values": "qko",
}


# The switches under which parameters are read another way; all others change the mathematics alone.
LAYOUT_SWITCHES = frozenset(
    {
        *_ROLES,
        *_FEWER_NORMS,
        *(
            "no_output_projection",
            "heads_shared",
            "heads_averaged",
            "heads_summed",
            "first_head_only",
            "one_head",
        ),
        *("inner_four_times", "feed_forward_without_bias", "norm_without_shift"),
        *("norm_without_parameters", "one_layer_less", "one_layer_more", "layers_shared"),
        *("no_token_types", "no_positions", "sinusoidal_positions", "no_embedding_norm"),
        *("head_without_bias", "final_norm_added", "no_v"),
    }
)


def roles_needed(on: frozenset[str]) -> str:
    """The projections that the mathematics needs under these switches."""
    roles = set("qkvo")
    for switch in on:
        roles &= set(_ROLES.get(switch, "qkvo"))
    if "no_output_projection" in on:
        roles.discard("o")
    return "".join(role for role in "qkvo" if role in roles)


def evaluate(parts: Any, values: Values) -> Any:
    """Every recipe of a layout, carried out on these values."""
    if callable(parts):
        return parts(values)
    if isinstance(parts, dict):
        return {name: evaluate(part, values) for name, part in parts.items()}
    return [evaluate(part, values) for part in parts]


def linear_part(weight: Param, bias: Param | None, rows: int, columns: int) -> Parts | None:
    """A linear map [rows, columns], stored that way or transposed."""
    read = weight.read()
    part: Parts = {}
    if weight.shape == tuple(n for n in (rows, columns) if n != 1):
        part["w"] = lambda values: read(values).reshape(rows, columns)
    elif weight.shape == tuple(n for n in (columns, rows) if n != 1):
        part["w"] = lambda values: read(values).reshape(columns, rows).T
    else:
        return None
    if bias is not None:
        part["b"] = bias.read()
    return part


def transposed(part: Parts) -> Parts:
    """The same square map, stored the other way round."""
    read: Read = part["w"]
    return {**part, "w": lambda values: read(values).T}


def partners_of(weights: Sequence[Param], vectors: Sequence[Param]) -> dict[str, Param]:
    """Which vector is whose bias: the only one in the same module, or the one of the same name."""
    found: dict[str, Param] = {}
    taken: set[str] = set()

    def fits(weight: Param, vector: Param) -> bool:
        return vector.name not in taken and any(
            vector.numel == weight.numel // size for size in weight.shape if size
        )

    for weight in weights:
        near = [v for v in vectors if v.owner == weight.owner and fits(weight, v)]
        rivals = [w for w in weights if w.owner == weight.owner]
        if len(near) == 1 and len(rivals) == 1:
            found[weight.name] = near[0]
            taken.add(near[0].name)
    for weight in weights:
        if weight.name in found:
            continue
        near = [v for v in vectors if v.owner == weight.owner and fits(weight, v)]
        same = [v for v in near if _stem(v.leaf) == _stem(weight.leaf)]
        if len(same) == 1:
            found[weight.name] = same[0]
            taken.add(same[0].name)
    owners = {weight.owner for weight in weights}
    for owner in owners:  # raw parameters without telling names: in order, where they come out even
        rest = [w for w in weights if w.owner == owner and w.name not in found]
        free = [v for v in vectors if v.owner == owner and v.name not in taken]
        shifts = _shifts_by_name(free)
        left = [v for v in free if not v.ones and v.name not in shifts]
        if rest and len(rest) == len(left) and all(map(fits, rest, left)):
            found.update(zip((w.name for w in rest), left, strict=True))
    return found


def _stem(leaf: str) -> str:
    words = sorted(tokens_of(leaf) - _WEIGHT_WORDS - _BIAS_WORDS)
    stem = "".join(words) + "".join(character for character in leaf if character.isdigit())
    if len(words) == 1 and len(words[0]) > 1 and words[0][0] in "wb":
        stem = stem[1:]
    return stem


def _shifts_by_name(vectors: Sequence[Param]) -> set[str]:
    """Those that belong to a norm's scale, which begins as all ones."""
    scales = [v for v in vectors if v.ones]
    rest = [v for v in vectors if v.zeros]
    found: set[str] = set()
    for scale in scales:
        rest = [v for v in rest if v.name not in found]
        if rest:
            found.add(_nearest(scale, rest).name)
    return found


def _nearest(scale: Param, shifts: Sequence[Param]) -> Param:
    """The shift whose name is most like the scale's; of equals, the one registered nearest."""
    return max(
        shifts,
        key=lambda v: (
            difflib.SequenceMatcher(None, v.leaf, scale.leaf).ratio(),
            -abs(v.order - scale.order),
        ),
    )


def norm_pairs(vectors: Sequence[Param]) -> list[Parts]:
    """Scales with their shifts, in order of registration."""
    pairs: list[tuple[int, Parts]] = []
    by_owner: dict[str, list[Param]] = {}
    for vector in vectors:
        by_owner.setdefault(vector.owner, []).append(vector)
    for group in by_owner.values():
        if len(group) == 1:
            pairs.append((group[0].order, {"w": group[0].read()}))
        elif len(group) == 2:
            pairs.append((group[0].order, _oriented(*group)))
        else:
            pairs += _paired_by_name(group)
    return [part for _, part in sorted(pairs, key=lambda pair: pair[0])]


def _oriented(one: Param, other: Param) -> Parts:
    def score(param: Param) -> int:
        words = tokens_of(param.leaf)
        told = bool(words & _SCALE_WORDS) - bool(words & _SHIFT_WORDS)
        return 4 * (param.ones - param.zeros) + told

    scale, shift = (one, other) if score(one) >= score(other) else (other, one)
    return {"w": scale.read(), "b": shift.read()}


def _paired_by_name(group: Sequence[Param]) -> list[tuple[int, Parts]]:
    scales = [v for v in group if v.ones] or list(group[::2])
    shifts = [v for v in group if v not in scales]
    pairs = []
    for scale in scales:
        if not shifts:
            break
        shift = _nearest(scale, shifts)
        shifts.remove(shift)
        pairs.append((scale.order, {"w": scale.read(), "b": shift.read()}))
    return pairs


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
    zero: Values | None = None,
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
        zero = None
    orders = list(itertools.permutations(pairs, len(norms))) if len(pairs) >= len(norms) else []
    orders = orders[:24]
    if not orders:  # fewer norms than there should be
        fill: list[Parts] = [*pairs, *([{}] * len(norms))][: len(norms)]
        orders = [tuple(fill)]
        if "no_first_norm" in on:
            orders = [tuple(reversed(fill))]
    if not on & {"norm_without_shift", "norm_without_parameters", *_FEWER_NORMS}:
        orders = [order for order in orders if all("b" in part for part in order)]
    for chosen_sites in sites:
        found = [
            attention_layouts(
                site, partners, sizes.heads, sizes.width, sizes.hidden, roles, zero, extras
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
            return whole
    return None


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


def table(param: Param) -> Parts:
    """A lookup table [rows, hidden]."""
    return {"w": param.read()}
