"""Ways to read maps as one attention, likely ones first; knows no mask and no other part.

Under some switches its heads are not as many and as wide as asked for.

The order of use tells the output, which comes last, and mostly the values, which meet the weights
that queries and keys have made.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

import torch

from ...diagnosis.interpretation.held import Held, Part, added, joined
from ...diagnosis.interpretation.layouts import Parts, Sizes

# Whether features come before heads where they share an axis: in what is made of inputs, and in
# what the output gets.
_ORDERS = ((False, False), (True, True), (False, True), (True, False))
_JOINED = {"heads_averaged", "heads_summed"}
OTHER_HEADS = frozenset({"heads_shared", "one_key_value_head", "one_head", *_JOINED})
_FEW = 24
_Group = tuple[Part, ...]  # the maps that make one role, head by head


def attention_layouts(maps: Sequence[Part], sizes: Sizes, roles: str = "qkvo") -> Iterator[Parts]:
    """Readings as q_w, k_w, v_w [heads, width, hidden], o_w [hidden, heads, width] and biases."""
    asked = roles.replace("o", "")
    if not set(asked) & set("qk"):  # without either there are no scores
        return
    read = cache(partial(_input_map, sizes=sizes))
    ways = [
        (groups, end, order, first)
        for groups, end in _groupings(maps, sizes, len(asked), "o" in roles)
        for order in itertools.permutations(range(len(groups)), len(asked))
        for first in _orders_of(groups, end, sizes)
    ]
    ways.sort(
        key=lambda way: (
            "v" in asked and way[2][asked.index("v")] != max(way[2]),
            way[3] not in _ORDERS[:2],
        )
    )
    for groups, end, order, (of_inputs, of_output) in ways:
        made = {
            role: read(groups[place], features_first=of_inputs)
            for role, place in zip(asked, order, strict=True)
        }
        if end is not None:
            made["o"] = _output_map(end, sizes, of_output)
        if all(made.values()):
            yield {f"{role}_{kind}": own[kind] for role, own in made.items() for kind in own}


def _orders_of(
    groups: Sequence[_Group], end: Part | None, sizes: Sizes
) -> Iterable[tuple[bool, bool]]:
    """Whether features come first, in inputs and output; only where heads share their axis."""
    inputs = _are_flat(itertools.chain(*groups), sizes)
    output = _are_flat([] if end is None else [end], sizes)
    return dict.fromkeys((i and inputs, o and output) for i, o in _ORDERS)


def _are_flat(parts: Iterable[Part], sizes: Sizes) -> bool:
    """Whether heads and their features share an axis somewhere, in either order."""
    return sizes.heads > 1 and any(len(part.shape) < 3 for part in parts)


def _groupings(
    maps: Sequence[Part], sizes: Sizes, inputs: int, with_output: bool
) -> Iterator[tuple[list[_Group], Part | None]]:
    """Ways to part the maps: a group for each role of the inputs, and the output's map."""
    unit = sizes.width * sizes.hidden
    whole = sizes.heads * unit
    pieces = [piece for part in maps for piece in _cut(part, sizes)]
    output: Part | None = None
    if with_output:
        ends = [p for p in pieces if p.shape[:1] == (sizes.hidden,) != p.shape[-1:]]
        if len(ends) < 2 or numbers_in(ends) != whole:
            ends = pieces[-1:]
        if numbers_in(ends) != whole:
            return
        pieces = [p for p in pieces if p not in ends]
        output = _side_by_side(ends)
    if any(p.numel % unit for p in pieces):
        return
    for narrow_groups in _narrow_groups(tuple(p for p in pieces if p.numel < whole), whole):
        groups = [*((p,) for p in pieces if p.numel == whole), *narrow_groups]
        groups.sort(key=lambda group: pieces.index(group[0]))
        if len(groups) >= inputs:
            yield groups, output


def numbers_in(parts: Sequence[Part]) -> int:
    """How many numbers there are in the weights of some parts."""
    return sum(part.numel for part in parts)


def _side_by_side(ends: Sequence[Part]) -> Part:
    """Output maps of some features each as one; their biases add up."""
    if len(ends) == 1:
        return ends[0]
    weights = [p.weight.reshape(p.shape[0], -1) for p in ends if p.weight is not None]
    shifts = [p.bias for p in ends if p.bias is not None]
    return Part(joined(weights, 1), added(shifts) if shifts else None)


def _cut(part: Part, sizes: Sizes) -> list[Part]:
    """A map for several roles, one upon another, as a map for each."""
    rows = sizes.heads * sizes.width
    if part.weight is None or len(part.shape) != 2 or part.shape[1] != sizes.hidden:
        return [part]
    count, rest = divmod(part.shape[0], rows)
    if rest or count < 2:
        return [part]
    return [part.rows(i * rows, rows) for i in range(count)]


def _narrow_groups(narrow: _Group, whole: int) -> Iterator[list[_Group]]:
    """Maps of some heads each, as a group for each role: head by head or role by role."""
    count, rest = divmod(numbers_in(narrow), whole)
    if not narrow:
        yield []
    if rest or not count:
        return
    own = len(narrow) // count
    ways = [[narrow[i::count] for i in range(count)]]
    if count == 3:  # all scores before all values
        ways.append([narrow[0 : 2 * own : 2], narrow[1 : 2 * own : 2], narrow[2 * own :]])
    if count > 1:
        ways.append([narrow[i * own : (i + 1) * own] for i in range(count)])
    for way in ways:
        if all(numbers_in(group) == whole for group in way):
            yield way


def _input_map(group: _Group, sizes: Sizes, features_first: bool) -> Parts:
    """A group's weight, and its bias where it has one; nothing where the shapes do not agree."""
    weights: list[Held] = []
    shifts: list[Held] = []
    for part in group:
        weight = _weight_by_head(part, sizes, features_first)
        if weight is None:
            return {}
        shift = _shift_by_head(part, weight, features_first)
        if shift is None:
            return {}
        weights.append(weight)
        shifts.append(shift)
    found = {"w": joined(weights)}
    return {**found, "b": joined(shifts)} if any(part.bias for part in group) else found


def _output_map(part: Part, sizes: Sizes, features_first: bool) -> Parts:
    """The output's weight, and its bias where it has one; nothing where it is no such map."""
    weight = _weight_by_head(part, sizes, features_first, is_output=True)
    if weight is None:
        return {}
    found = {"w": weight.permute(2, 0, 1)}
    return found if part.bias is None else {**found, "b": part.bias.reshape(part.bias.numel)}


def linear_part(part: Part, rows: int, columns: int) -> Parts | None:
    """A linear map [rows, columns], shown that way or transposed."""
    weight, shift = part.weight, part.bias
    if weight is None or (shift is not None and shift.numel != rows):
        return None
    if part.shape == tuple(n for n in (rows, columns) if n != 1):
        found: Parts = {"w": weight.reshape(rows, columns)}
    elif part.shape == tuple(n for n in (columns, rows) if n != 1):
        found = {"w": weight.reshape(columns, rows).permute(1, 0)}
    else:
        return None
    return found if shift is None else {**found, "b": shift.reshape(rows)}


def _weight_by_head(
    part: Part, sizes: Sizes, features_first: bool, is_output: bool = False
) -> Held | None:
    """[heads, width, hidden] of a weight whose axes are these, some of them in one."""
    weight, shape, width, hidden = part.weight, part.shape, sizes.width, sizes.hidden
    heads = part.numel // (width * hidden)
    kept = tuple(n for n in (heads, width, hidden) if n > 1)
    if weight is None:
        return None
    if len(shape) == len(kept) and sorted(shape) == sorted(kept) and len(set(kept)) == len(kept):
        return weight.permute(*map(shape.index, kept)).reshape(heads, width, hidden)
    if sorted(shape) != sorted((heads * width, hidden)):
        return None
    turned = shape[0] == hidden if shape[0] != shape[1] else is_output
    flat = weight.permute(1, 0) if turned else weight
    if features_first:
        return flat.reshape(width, heads, hidden).permute(1, 0, 2)
    return flat.reshape(heads, width, hidden)


def _shift_by_head(part: Part, weight: Held, features_first: bool) -> Held | None:
    """[heads, width] of the bias of such a weight, zeros where it has none."""
    heads, width, _ = weight.shape
    shift = part.bias
    if shift is None:
        return Held(torch.zeros(1, heads, width, dtype=torch.long), weight.names)
    if shift.numel != heads * width:
        return None
    if shift.shape == (width, heads) or (len(shift.shape) == 1 and features_first):
        return shift.reshape(width, heads).permute(1, 0)
    return shift.reshape(heads, width)


def other_heads(maps: Sequence[Part], sizes: Sizes, on: frozenset[str]) -> Iterator[Parts]:
    """Readings under one of these switches."""
    *inputs, output = maps if maps else [Part(None)]
    one = replace(sizes, heads=1)
    if "heads_shared" in on:
        for head in itertools.islice(attention_layouts(inputs, one, "qkv"), _FEW):
            yield from _with_output(_for_every_head(head, sizes), output, sizes, sizes.heads)
    elif "one_key_value_head" in on:
        yield from _shared_keys(inputs, output, sizes)
    else:
        heads = 1 if "one_head" in on else sizes.heads
        wide = replace(sizes, heads=heads, width=sizes.hidden)
        for own in (sizes, wide) if on & _JOINED else (wide,):
            for layout in itertools.islice(attention_layouts(inputs, own, "qkv"), _FEW):
                yield from _with_output(layout, output, own, 1)


def _shared_keys(inputs: Sequence[Part], output: Part, sizes: Sizes) -> Iterator[Parts]:
    """Queries of several heads, and one head's keys and values for all of them."""
    asking = [p for p in inputs if p.numel == sizes.heads * sizes.width * sizes.hidden]
    narrow = [p for p in inputs if p not in asking]
    for answer in attention_layouts(narrow, replace(sizes, heads=1), "kv"):
        for query in attention_layouts([*asking, output], sizes, "qo"):
            yield {**query, **_for_every_head(answer, sizes)}


def _for_every_head(head: Parts, sizes: Sizes) -> Parts:
    """The roles of one head for all of them."""
    return {role: held.expand(sizes.heads, *held.shape[1:]) for role, held in head.items()}


def _with_output(layout: Parts, output: Part, sizes: Sizes, heads: int) -> Iterator[Parts]:
    """The reading with an output projection of so many heads."""
    if output.numel == heads * sizes.width * sizes.hidden:
        found = _output_map(output, sizes, features_first=False)
        if found:
            yield {**layout, **{f"o_{kind}": held for kind, held in found.items()}}
