"""Ways to read maps as one attention, likely ones first; knows no mask and no other part.

Under some switches its heads are not as many and as wide as asked for.

The order of use tells the output, which comes last, and mostly the values, which meet the weights
that queries and keys have made.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from .layouts import Parts, Sizes
from .used_parts import Held, Layout, Part, Read, Values

# Whether features come before heads where they share an axis: in what is made of inputs, and in
# what the output gets.
_ORDERS = ((False, False), (True, True), (False, True), (True, False))
_JOINED = {"heads_averaged", "heads_summed"}
OTHER_HEADS = frozenset({"heads_shared", "one_key_value_head", "one_head", *_JOINED})
_FEW = 24
_Group = list[Part]  # the maps that make one role, head by head


def attention_layouts(maps: Sequence[Part], sizes: Sizes, roles: str = "qkvo") -> Iterator[Layout]:
    """Readings as q_w, k_w, v_w [heads, width, hidden], o_w [hidden, heads, width] and biases."""
    asked = roles.replace("o", "")
    if not set(asked) & set("qk"):  # without either there are no scores
        return
    ways = [
        (groups, ends, order, first)
        for groups, ends in _groupings(maps, sizes, len(asked), "o" in roles)
        for order in itertools.permutations(range(len(groups)), len(asked))
        for first in dict.fromkeys(
            (i and _are_flat(groups, sizes), o and _are_flat([ends], sizes)) for i, o in _ORDERS
        )
    ]
    ways.sort(
        key=lambda way: (
            "v" in asked and way[2][asked.index("v")] != max(way[2]),
            way[3] not in _ORDERS[:2],
        )
    )
    for groups, ends, order, (of_inputs, of_output) in ways:
        layout: Layout = {}
        for role, place in zip(asked, order, strict=True):
            layout |= _role(role, groups[place], sizes, of_inputs)
        if ends:
            layout |= _role("o", ends, sizes, of_output)
        if {f"{role}_w" for role in roles} <= layout.keys():
            yield layout


def _are_flat(groups: Sequence[_Group], sizes: Sizes) -> bool:
    """Whether heads and their features share an axis somewhere, in either order."""
    return sizes.heads > 1 and any(len(part.shape) < 3 for group in groups for part in group)


def _groupings(
    maps: Sequence[Part], sizes: Sizes, inputs: int, with_output: bool
) -> Iterator[tuple[list[_Group], _Group]]:
    """Ways to part the maps: a group for each role of the inputs, and those of the output."""
    unit = sizes.width * sizes.hidden
    whole = sizes.heads * unit
    pieces = [piece for part in maps for piece in _cut(part, sizes)]
    output: _Group = []
    if with_output:
        ends = [p for p in pieces if p.shape[:1] == (sizes.hidden,) != p.shape[-1:]]
        joined = [_side_by_side(ends)] if len(ends) > 1 else []
        output = joined if numbers_in(ends) == whole and joined else pieces[-1:]
        if numbers_in(output) != whole:
            return
        pieces = [p for p in pieces if p not in (ends if joined == output else output)]
    if any(p.numel % unit for p in pieces):
        return
    if numbers_in(pieces) < inputs * whole:
        return
    for narrow_groups in _narrow_groups([p for p in pieces if p.numel < whole], whole):
        groups = [*([p] for p in pieces if p.numel == whole), *narrow_groups]
        groups.sort(key=lambda group: pieces.index(group[0]))
        if len(groups) >= inputs:
            yield groups, output


def numbers_in(parts: Sequence[Part]) -> int:
    """How many numbers there are in the weights of some parts."""
    return sum(part.numel for part in parts)


def _side_by_side(ends: Sequence[Part]) -> Part:
    """Output maps of some features each as one; their biases add up."""
    reads = [p.weight.read for p in ends if p.weight is not None]
    shifts = [p.bias.read for p in ends if p.bias is not None]
    features = sum(p.numel for p in ends) // ends[0].shape[0]
    weight = Held(
        (ends[0].shape[0], features),
        lambda values: torch.cat([read(values).flatten(1) for read in reads], 1),
    )
    own = Held(ends[0].shape[:1], lambda values: sum_of(shifts, values)) if shifts else None
    return Part(weight, own)


def _cut(part: Part, sizes: Sizes) -> list[Part]:
    """A map for several roles, one upon another, as a map for each."""
    rows = sizes.heads * sizes.width
    if part.weight is None or len(part.shape) != 2 or part.shape[1] != sizes.hidden:
        return [part]
    count, rest = divmod(part.shape[0], rows)
    if rest or count < 2:
        return [part]
    return [
        Part(part.weight.rows(i * rows, rows), part.bias and part.bias.rows(i * rows, rows))
        for i in range(count)
    ]


def _narrow_groups(narrow: Sequence[Part], whole: int) -> Iterator[list[_Group]]:
    """Maps of some heads each, as a group for each role: head by head or role by role."""
    count, rest = divmod(numbers_in(narrow), whole)
    if rest or (count == 0 and narrow):
        return
    if count == 0:
        yield []
        return
    own = len(narrow) // count
    ways = [[list(narrow[i::count]) for i in range(count)]]
    if count == 3:  # all scores before all values
        ends = list(narrow[2 * own :])
        ways.append([list(narrow[0 : 2 * own : 2]), list(narrow[1 : 2 * own : 2]), ends])
    ways.append([list(narrow[i * own : (i + 1) * own]) for i in range(count)])
    for way in ways if count > 1 else ways[:1]:
        if all(numbers_in(group) == whole for group in way):
            yield way


def _role(role: str, group: _Group, sizes: Sizes, features_first: bool) -> Layout:
    """A role's weight, and its bias where it has one; nothing where the shapes do not agree."""
    unit = sizes.width * sizes.hidden
    is_output = role == "o"
    weights = [
        _by_head(p.weight, p.weight.numel // unit, sizes, features_first, is_output)
        for p in group
        if p.weight is not None
    ]
    if any(read is None for read in weights):
        return {}
    reads = [read for read in weights if read is not None]
    if is_output:
        shift = group[0].bias
        found = {"o_w": lambda values: reads[0](values).permute(2, 0, 1)}
        return found if shift is None else {**found, "o_b": lambda v: shift.read(v).flatten()}
    found = {f"{role}_w": lambda values: torch.cat([r(values) for r in reads])}
    if any(p.bias is not None for p in group):
        own = [_shift_by_head(p, p.numel // unit, sizes, features_first) for p in group]
        found[f"{role}_b"] = lambda values: torch.cat([read(values) for read in own])
    return found


def linear_part(part: Part, rows: int, columns: int) -> Parts | None:
    """A linear map [rows, columns], shown that way or transposed."""
    if part.weight is None:
        return None
    read = part.weight.read
    if part.shape == tuple(n for n in (rows, columns) if n != 1):
        found: Parts = {"w": lambda values: read(values).reshape(rows, columns)}
    elif part.shape == tuple(n for n in (columns, rows) if n != 1):
        found = {"w": lambda values: read(values).reshape(columns, rows).T}
    else:
        return None
    if part.bias is not None:
        shift = part.bias.read
        found["b"] = lambda values: shift(values).reshape(rows)
    return found


def sum_of(reads: Sequence[Read], values: Values) -> Tensor:
    """Several tensors of one shape, added."""
    return torch.stack([read(values).flatten() for read in reads]).sum(0)


def _by_head(
    held: Held, heads: int, sizes: Sizes, features_first: bool, is_output: bool
) -> Read | None:
    """[heads, width, hidden] of a weight whose axes are these, some of them in one."""
    read, shape, width, hidden = held.read, held.shape, sizes.width, sizes.hidden
    kept = tuple(n for n in (heads, width, hidden) if n > 1)
    if len(shape) == len(kept) and sorted(shape) == sorted(kept) and len(set(kept)) == len(kept):
        order = [shape.index(n) for n in kept]
        return lambda values: read(values).permute(order).reshape(heads, width, hidden)
    if sorted(shape) != sorted((heads * width, hidden)):
        return None
    turned = shape[0] == hidden if shape[0] != shape[1] else is_output

    def role(values: Values) -> Tensor:
        flat = read(values).T if turned else read(values)
        if features_first:
            return flat.reshape(width, heads, hidden).transpose(0, 1)
        return flat.reshape(heads, width, hidden)

    return role


def _shift_by_head(part: Part, heads: int, sizes: Sizes, features_first: bool) -> Read:
    """[heads, width] of a map's bias; zeros where it has none."""
    if part.bias is None:
        return lambda _: torch.zeros(heads, sizes.width)
    read, shape = part.bias.read, part.bias.shape
    first = shape == (sizes.width, heads) or (len(shape) == 1 and features_first)

    def shift(values: Values) -> Tensor:
        found = read(values)
        if first:
            return found.reshape(sizes.width, heads).T
        return found.reshape(heads, sizes.width)

    return shift


def other_heads(maps: Sequence[Part], sizes: Sizes, on: frozenset[str]) -> Iterator[Parts]:
    """Readings under one of these switches."""
    *inputs, output = maps if maps else [Part(None)]
    one = replace(sizes, heads=1)
    if "heads_shared" in on:
        for head in itertools.islice(attention_layouts(inputs, one, "qkv"), _FEW):
            shared = {name: _for_every_head(read, sizes.heads) for name, read in head.items()}
            yield from _with_output(shared, output, sizes, sizes.heads)
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
    first = sizes.heads * sizes.width
    cut: list[Part] = []
    for part in inputs:
        if part.weight and len(part.shape) == 2 and part.shape[0] == first + 2 * sizes.width:
            ways = ((0, first), (first, 2 * sizes.width))
            cut += (
                Part(part.weight.rows(*way), part.bias and part.bias.rows(*way)) for way in ways
            )
        else:
            cut.append(part)
    unit = sizes.width * sizes.hidden
    asking = [p for p in cut if p.weight and p.weight.numel == sizes.heads * unit]
    narrow = [p for p in cut if p not in asking]
    for answer in attention_layouts(narrow, replace(sizes, heads=1), "kv"):
        shared = {name: _for_every_head(read, sizes.heads) for name, read in answer.items()}
        for query in attention_layouts([*asking, output], sizes, "qo"):
            yield {**query, **shared}


def _for_every_head(read: Read, heads: int) -> Read:
    return lambda values: read(values).expand(heads, *read(values).shape[1:])


def _with_output(layout: Parts, output: Part, sizes: Sizes, heads: int) -> Iterator[Parts]:
    """The reading with an output projection of so many heads."""
    if output.numel == heads * sizes.width * sizes.hidden:
        found = _role("o", [output], sizes, features_first=False)
        if found:
            yield {**layout, **found}
