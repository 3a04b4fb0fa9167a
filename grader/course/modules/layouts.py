"""Ways to read parts as the parameters of a reference, likely ones first; knows no values.

Of each kind, parts stand for parameters in the order of use: tables by their rows, norms, maps by
their sizes, and what attentions are made of. All attentions of a stack are read alike.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from itertools import islice

from ...diagnosis.interpretation.edited_reference import EditedReference
from ...diagnosis.interpretation.held import Held, Part, added, in_lists, joined, numbers_in
from ...diagnosis.interpretation.module_subject import Numbers
from .attention_layout import attention_layouts
from .holders import Attention, Holder, Holders
from .table_layouts import tables_of

_MOST = 36  # readings of all attentions: three groupings of narrow maps in each order


def layouts(
    parts: Sequence[Part],
    made: EditedReference,
    names: Sequence[str],
    bias_free: bool = False,
    spare_tables: frozenset[str] = frozenset(),
) -> Iterator[Numbers]:
    """Readings of parts as the parameters of these names.

    `bias_free`: every map may be without a bias; `spare_tables`: there may be none of these.
    """
    shapes = {name: made.shapes[name] for name in names}
    wanted = Holders(made.module, shapes, bias_free, spare_tables)
    tried: list[list[Part]] = []
    for as_parts in (list, in_lists, _shifts_behind):  # the next where one gives no reading
        if (own := as_parts(parts)) in tried:
            continue
        tried.append(own)
        found = _layouts(own, wanted)
        if (first := next(found, None)) is not None:
            yield first
            yield from found
            return


def _layouts(parts: Sequence[Part], wanted: Holders) -> Iterator[Numbers]:
    for tables, rest in tables_of(parts, wanted):
        own, vectors = _without_shifts([part for part in rest if part.is_used], wanted)
        norms = _norms([p for p in own if len(p.shape) < 2], wanted.norms)
        if norms is None:
            continue
        for maps in _apart([p for p in own if len(p.shape) > 1], wanted):
            plain, left, lacking = _told_maps(maps, wanted)
            runs = _runs(left, wanted.attentions)
            rest_of_maps = left[sum(map(len, runs)) :]
            if lacking:  # their maps are in pieces
                rest_of_maps = _side_by_side(rest_of_maps, lacking)
            last = _in_order([*rest_of_maps, *vectors], lacking or wanted.last_maps)
            if plain is None or last is None or len(runs) != len(wanted.attentions):
                continue
            for attentions in _attentions(runs, wanted.attentions):
                yield {**tables, **norms, **plain, **last, **attentions}


def _apart(maps: list[Part], wanted: Holders) -> Iterator[list[Part]]:
    """The maps; then, where the results of two are added: the other first, one map as two.

    Which of the two is used first says nothing, nor does their size where it is the same.
    """
    yield maps
    two = [holder for holders in wanted.told_maps for holder in holders]
    if len(two) != 2 or wanted.attentions or not maps or maps[0].weight is None:
        return
    if sorted(two[0].shape) == sorted(two[1].shape):
        yield maps[::-1]
    for one, other in itertools.permutations(two):
        (rows, first), (_, second), both = one.shape, other.shape, maps[0].weight
        if both.shape == (rows, first + second):
            left, right = both.narrow(1, 0, first), both.narrow(1, first, second)
            cut = [Part(left, maps[0].bias), Part(right)]
            yield [*cut, *maps[1:]]
            if first == second:
                yield [*cut[::-1], *maps[1:]]


def _without_shifts(parts: Sequence[Part], wanted: Holders) -> tuple[list[Part], list[Part]]:
    """The parts, with a bias for each vector that is one, and the last, which are maps to 1."""
    if not (wanted.maps or wanted.attentions):
        return list(parts), []
    if not wanted.norms and not wanted.attentions and len(wanted.maps) == 1:
        parts = sorted(parts, key=lambda part: len(part.shape) < 2)  # its bias may come first
    to_one = sum(holder.shape[0] == 1 for holder in wanted.last_maps)
    if to_one and len(parts) > 1:
        *before, one, last = parts
        for vector, other in ((one, last), (last, one)):  # where all tokens are mapped, either way
            alone = other.bias if other.weight is None else other.weight
            if alone and alone.numel == 1 and vector.weight and vector.bias is None:
                parts = [*before, Part(vector.weight, alone)]
                break
    ends = len(parts) - to_one
    own = with_shifts(parts[:ends], all("bias" in norm.leaves for norm in wanted.norms))
    return own, list(parts[ends:])


def with_shifts(parts: Sequence[Part], lone: bool = True) -> list[Part]:
    """The same, where a vector alone is the bias of the map before: a residual may be between.

    `lone`: also one that looks like a scale, for a map without a bias.
    """
    found: list[Part] = []
    for part in parts:
        shift = part.bias if part.weight is None else None
        before = next((i for i in reversed(range(len(found))) if len(found[i].shape) > 1), None)
        bare = before is not None and found[before].bias is None
        if lone and part.bias is None and len(part.shape) <= 1 and bare:
            shift = part.weight or shift
        whole = None if before is None or shift is None else _shifted(found[before], shift)
        if before is None or whole is None:
            found.append(part)
        else:
            found[before] = whole
    return found


def _shifted(part: Part, shift: Held) -> Part | None:
    """A map with one more bias; None where it makes another number of features."""
    own = shift if part.bias is None else added([part.bias, shift])
    if own is None or shift.numel not in (part.shape[0], part.shape[-1]):
        return None
    return Part(part.weight, own)


def _shifts_behind(parts: Sequence[Part]) -> list[Part]:
    """The same parts, with each shift alone behind the next map that makes so many features."""
    found: list[Part] = []
    early: list[Part] = []
    for part in parts:
        if part.weight is None and part.bias is not None:
            early.append(part)
            continue
        found.append(part)
        own = [each for each in early if each.bias and each.bias.shape == part.shape[:1]]
        found += own if len(part.shape) > 1 else []
        early = [each for each in early if each not in found]
    return [*found, *early]


def _norms(parts: Sequence[Part], holders: Sequence[Holder]) -> Numbers | None:
    """Each norm's scale and shift, where there are as many and no others."""
    if len(parts) != len(holders):
        return None
    found: Numbers = {}
    for part, holder in zip(parts, holders, strict=True):
        own = {"weight": part.weight, "bias": part.bias}
        held = {leaf: each for leaf, each in own.items() if each is not None}
        if held.keys() != set(holder.leaves):
            return None
        if any(each.numel != math.prod(holder.shape) for each in held.values()):
            return None
        found |= {holder.leaf(leaf): each for leaf, each in held.items()}
    return found


def _told_maps(
    maps: Sequence[Part], wanted: Holders
) -> tuple[Numbers | None, list[Part], list[Holder]]:
    """The maps that their sizes tell, the parts that are none of these, and what lacks its map."""
    found: Numbers = {}
    left, lacking = list(maps), []
    for holders in wanted.told_maps:
        sizes = sorted(holders[0].shape)
        own = [part for part in left if sorted(part.shape) == sizes]
        if not own and len(holders) == 2:
            lacking = holders
            continue
        left = [part for part in left if part not in own]
        read = _in_order(own, holders)
        if read is None:
            return None, [], []
        found |= read
    return found, left, lacking


def _in_order(parts: Sequence[Part], holders: Sequence[Holder]) -> Numbers | None:
    """As many maps as are wanted, one after the other; None where they are others."""
    if len(parts) != len(holders):
        return None
    found: Numbers = {}
    for part, holder in zip(parts, holders, strict=True):
        read = linear_part(part, *holder.shape)
        if read is None or not holder.takes(read):
            return None
        found |= {holder.leaf(leaf): held for leaf, held in read.items()}
    return found


def linear_part(part: Part, rows: int, columns: int) -> Numbers | None:
    """A linear map [rows, columns], shown that way or transposed."""
    weight, shift = part.weight, part.bias
    if weight is None or (shift is not None and shift.numel != rows):
        return None
    if part.shape == tuple(n for n in (rows, columns) if n != 1):
        found: Numbers = {"weight": weight.reshape(rows, columns)}
    elif part.shape == tuple(n for n in (columns, rows) if n != 1):
        found = {"weight": weight.reshape(columns, rows).permute(1, 0)}
    else:
        return None
    return found if shift is None else {**found, "bias": shift.reshape(rows)}


def _side_by_side(maps: Sequence[Part], holders: Sequence[Holder]) -> list[Part]:
    """Two maps in several parts each, along the features between them, as one part each."""
    inner, outer = holders[0].shape
    into = [p for p in maps if len(p.shape) == 2 and p.shape[1] == outer]
    back = [p for p in maps if len(p.shape) == 2 and p.shape[0] == outer]
    found = []
    for parts, axis in ((into, 0), (back, 1)):
        weights = [p.weight for p in parts if p.weight is not None]
        if not weights or sum(w.shape[axis] for w in weights) != inner:
            return []
        shifts = [p.bias for p in parts if p.bias is not None]
        shift = added(shifts) if shifts and axis else None
        if shifts and not axis and len(shifts) == len(parts):
            shift = joined([each.reshape(each.numel) for each in shifts])
        found.append(Part(joined(weights, axis), shift))
    return found


def _runs(maps: Sequence[Part], attentions: Sequence[Attention]) -> list[list[Part]]:
    """The maps of each attention in the order of use: together they have its numbers."""
    found: list[list[Part]] = []
    left = list(maps)
    for attention in attentions:
        own: list[Part] = []
        while left and numbers_in(own) < attention.numel:
            own.append(left.pop(0))
        if numbers_in(own) != attention.numel:
            return []
        found.append(own)
    return found


def _attentions(
    runs: Sequence[Sequence[Part]], attentions: Sequence[Attention]
) -> Iterator[Numbers]:
    """Readings of all attentions: of a stack alike, of one layer each in its own way."""
    differ = len({attention.name.rpartition(".")[2] for attention in attentions}) > 1
    each = [
        list(islice(attention_layouts(run, attention), _MOST // (1 + differ)))
        for run, attention in zip(runs, attentions, strict=True)
    ]
    for way in itertools.product(*each) if differ else zip(*each, strict=False):
        yield {
            f"{attention.name}{name}": held
            for attention, own in zip(attentions, way, strict=True)
            for name, held in own.items()
        }
    if not runs:
        yield {}
