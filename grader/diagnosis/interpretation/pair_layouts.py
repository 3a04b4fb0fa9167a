"""Ways to read weights with their biases, and scales with their shifts; knows no values."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Iterable, Sequence

from .layouts import Parts
from .parameters import Param, Read, tokens_of

NormPair = tuple[Param, Param | None]  # scale and shift

_WEIGHT_WORDS = {"weight", "weights", "w", "kernel", "mat", "matrix"}


_BIAS_WORDS = {"bias", "b", "biases"}


_SCALE_WORDS = {"weight", "gamma", "scale", "g", "a", "gain", "w"}


_SHIFT_WORDS = {"bias", "beta", "shift", "b", "offset"}


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


def table(param: Param) -> Parts:
    """A lookup table [rows, hidden]."""
    return {"w": param.read()}


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
    owners = list(dict.fromkeys(weight.owner for weight in weights))
    for owner in owners:  # two lists, or dicts, side by side: one of weights and one of biases
        rest = [w for w in weights if w.owner == owner and w.name not in found]
        groups = _by_owner(v for v in vectors if not v.ones and v.name not in taken)
        for group in sorted(groups, key=lambda group: not _same_stem(owner, group[0].owner)):
            ordered = _alike_named(rest, group)
            if len(rest) > 1 and ordered and all(map(fits, rest, ordered)):
                found.update(zip((w.name for w in rest), ordered, strict=True))
                taken.update(v.name for v in ordered)
                break
    for owner in owners:  # raw parameters without telling names: in order, where they come out even
        rest = [w for w in weights if w.owner == owner and w.name not in found]
        free = [v for v in vectors if v.owner == owner and v.name not in taken]
        shifts = _shifts_by_name(free)
        left = [v for v in free if not v.ones and v.name not in shifts]
        if rest and len(rest) == len(left) and all(map(fits, rest, left)):
            found.update(zip((w.name for w in rest), left, strict=True))
            taken.update(v.name for v in left)
    _beside(weights, [v for v in vectors if v.name not in taken], found, fits)
    return found


def _beside(
    weights: Sequence[Param],
    free: Sequence[Param],
    found: dict[str, Param],
    fits: Callable[[Param, Param], bool],
) -> None:
    """Biases outside the modules of their weights: by the module's name, or what alone is left."""
    left = [v for v in free if not v.ones]
    for weight in [w for w in weights if w.name not in found]:
        around, _, own = weight.owner.rpartition(".")
        named = [v for v in left if v.owner == around and fits(weight, v) and _names(own, v)]
        if own and len(named) == 1:
            found[weight.name] = named[0]
            left.remove(named[0])
    shifts = _shifts_by_name([*left, *(v for v in free if v.ones)])
    left = [v for v in left if v.name not in shifts]
    bare = [w for w in weights if w.name not in found]
    if len(bare) == len(left) == 1 and fits(bare[0], left[0]):
        found[bare[0].name] = left[0]


def _names(module: str, vector: Param) -> bool:
    """Whether a vector is named after a module: dense and dense_bias."""
    words = tokens_of(vector.leaf)
    return bool(words & _BIAS_WORDS) and words - _BIAS_WORDS == tokens_of(module)


def _by_owner(params: Iterable[Param]) -> list[list[Param]]:
    groups: dict[str, list[Param]] = {}
    for param in params:
        groups.setdefault(param.owner, []).append(param)
    return list(groups.values())


def _alike_named(some: Sequence[Param], others: Sequence[Param]) -> list[Param]:
    """The others in the order of these, where both have the same names, or places in a list."""
    by_leaf = {param.leaf: param for param in others}
    leaves = [param.leaf for param in some]
    return [by_leaf[leaf] for leaf in leaves] if by_leaf.keys() == set(leaves) else []


def _same_stem(one: str, other: str) -> bool:
    return _stem(one.rpartition(".")[2]) == _stem(other.rpartition(".")[2])


def _stem(leaf: str) -> str:
    words = sorted(tokens_of(leaf) - _WEIGHT_WORDS - _BIAS_WORDS)
    stem = "".join(words) + "".join(character for character in leaf if character.isdigit())
    if len(words) == 1 and len(words[0]) > 1:  # wq and bq, qw and qb
        stem = stem[1:] if stem[0] in "wb" else re.sub(r"[wb](?=\d*$)", "", stem)
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
    """The shift whose name is most like the scale's; of equals, the nearest, behind it rather."""

    def alike(shift: Param) -> float:
        if shift.leaf.isdigit():  # a place in a list, no name
            return 0.0
        return difflib.SequenceMatcher(None, shift.leaf, scale.leaf).ratio()

    return max(
        shifts,
        key=lambda v: (alike(v), -abs(v.order - scale.order), v.order > scale.order),
    )


def norm_pairs(vectors: Sequence[Param]) -> list[Parts]:
    """Scales with their shifts, in order of registration."""
    return [norm_part(*pair) for pair in scales_and_shifts(vectors)]


def norm_part(scale: Param, shift: Param | None = None) -> Parts:
    """A norm of these; without a shift where it has none."""
    return {"w": scale.read()} if shift is None else {"w": scale.read(), "b": shift.read()}


def scales_and_shifts(vectors: Sequence[Param]) -> list[NormPair]:
    """Scales with their shifts as parameters, in order of registration."""
    pairs: list[tuple[int, NormPair]] = []
    groups = _by_owner(vectors)
    lists = [group for group in groups if len(group) > 1]
    for scales, shifts in itertools.permutations(lists, 2):  # side by side
        ordered = _alike_named(scales, shifts)
        if ordered and all(v.ones for v in scales) and not any(v.ones for v in shifts):
            pairs += ((one.order, (one, other)) for one, other in zip(scales, ordered, strict=True))
            groups = [group for group in groups if group not in (scales, shifts)]
    for group in groups:
        if len(group) == 1:
            pairs.append((group[0].order, (group[0], None)))
        elif len(group) == 2:
            pairs.append((group[0].order, _oriented(*group)))
        else:
            pairs += _paired_by_name(group)
    return [pair for _, pair in sorted(pairs, key=lambda pair: pair[0])]


def _oriented(one: Param, other: Param) -> NormPair:
    def score(param: Param) -> int:
        words = tokens_of(param.leaf)
        by_name = bool(words & _SCALE_WORDS) - bool(words & _SHIFT_WORDS)
        return 4 * (param.ones - param.zeros) + by_name

    return (one, other) if score(one) >= score(other) else (other, one)


def _paired_by_name(group: Sequence[Param]) -> list[tuple[int, NormPair]]:
    scales = [v for v in group if v.ones] or list(group[::2])
    shifts = [v for v in group if v not in scales]
    pairs: list[tuple[int, NormPair]] = []
    for scale in scales:
        if not shifts:
            break
        shift = _nearest(scale, shifts)
        shifts.remove(shift)
        pairs.append((scale.order, (scale, shift)))
    return pairs
