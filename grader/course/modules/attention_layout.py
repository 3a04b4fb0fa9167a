"""Ways to read maps as one attention, likely ones first; knows no mask and no other part.

The order of use tells the output, which comes last, and mostly the values, which meet the weights
that queries and keys have made.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial

import torch

from ...diagnosis.interpretation.held import Held, Part, added, joined, numbers_in
from .holders import Attention

# Whether features come before heads where they share an axis: in what is made of inputs, and in
# what the output gets.
_ORDERS = ((False, False), (True, True), (False, True), (True, False))
_NAMES = {"q": "query", "k": "key", "v": "value", "o": "output"}
_Group = tuple[Part, ...]  # the maps that make one role, head by head
_Read = dict[str, Held]


def attention_layouts(maps: Sequence[Part], attention: Attention) -> Iterator[_Read]:
    """Readings by the names of its parameters."""
    asked = attention.roles.replace("o", "")
    if not set(asked) & set("qk"):  # without either there are no scores
        return
    read = cache(partial(_input_map, attention=attention))
    ways = [
        (groups, end, order, first)
        for groups, end in _groupings(maps, attention)
        for order in itertools.permutations(range(len(groups)), len(asked))
        for first in _orders_of(groups, end, attention)
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
            made["o"] = _output_map(end, attention, of_output)
        if all(own and attention.maps[role].takes(own) for role, own in made.items()) and all(
            own["weight"].shape == attention.maps[role].shape for role, own in made.items()
        ):
            yield {f"{_NAMES[r]}.{leaf}": own[leaf] for r, own in made.items() for leaf in own}


def _orders_of(
    groups: Sequence[_Group], end: Part | None, attention: Attention
) -> Iterable[tuple[bool, bool]]:
    """Whether features come first, in inputs and output; only where heads share their axis."""
    inputs = _are_flat(itertools.chain(*groups), attention)
    output = _are_flat([] if end is None else [end], attention)
    return dict.fromkeys((i and inputs, o and output) for i, o in _ORDERS)


def _are_flat(parts: Iterable[Part], attention: Attention) -> bool:
    """Whether heads and their features share an axis somewhere, in either order."""
    one = attention.width * attention.hidden
    return attention.heads > 1 and any(len(p.shape) < 3 and p.numel > one for p in parts)


def _groupings(
    maps: Sequence[Part], attention: Attention
) -> Iterator[tuple[list[_Group], Part | None]]:
    """Ways to part the maps: a group for each role of the inputs, and the output's map."""
    rows = {m.shape[0] for role, m in attention.maps.items() if role != "o"}
    hidden, most = attention.hidden, max(rows)
    last = len(maps) - ("o" in attention.maps)
    pieces = [piece for part in maps[:last] for piece in _cut(part, hidden, most)]
    pieces += maps[last:]
    output: Part | None = None
    if "o" in attention.maps:
        outer, inner = attention.maps["o"].shape
        numel = outer * inner
        ends = [p for p in pieces if p.shape[:1] == (outer,) != p.shape[-1:]]
        if len(ends) < 2 or numbers_in(ends) != numel:
            ends = pieces[-1:]
        if numbers_in(ends) != numel:
            return
        pieces = [p for p in pieces if p not in ends]
        output = _side_by_side(ends)
    wholes = {count * hidden for count in rows}
    if any(p.numel % (attention.width * hidden) for p in pieces):
        return
    narrow = tuple(p for p in pieces if p.numel not in wholes)
    for narrow_groups in _narrow_groups(narrow, most * hidden):
        groups = [*((p,) for p in pieces if p not in narrow), *narrow_groups]
        groups.sort(key=lambda group: pieces.index(group[0]))
        yield groups, output


def _side_by_side(ends: Sequence[Part]) -> Part:
    """Output maps of some features each as one; their biases add up."""
    if len(ends) == 1:
        return ends[0]
    weights = [p.weight.reshape(p.shape[0], -1) for p in ends if p.weight is not None]
    shifts = [p.bias for p in ends if p.bias is not None]
    return Part(joined(weights, 1), added(shifts) if shifts else None)


def _cut(part: Part, hidden: int, rows: int) -> list[Part]:
    """A map for several roles, one upon another, as a map for each."""
    if part.weight is None or len(part.shape) < 2:
        return [part]
    first, *others = part.shape
    if others[1:] and part.bias is None and part.numel == first * rows * hidden:
        return [Part(part.weight.narrow(0, i, 1).reshape(*others)) for i in range(first)]
    if others != [hidden]:
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


def _input_map(group: _Group, attention: Attention, features_first: bool) -> _Read:
    """A group's weight, and its bias where it has one; nothing where the shapes do not agree."""
    weights: list[Held] = []
    shifts: list[Held] = []
    for part in group:
        weight = _weight_by_head(part, attention, features_first)
        shift = None if weight is None else _shift_by_head(part, weight, features_first)
        if weight is None or shift is None:
            return {}
        weights.append(weight)
        shifts.append(shift)
    weight = joined(weights)
    rows = weight.shape[0] * weight.shape[1]
    found = {"weight": weight.reshape(rows, attention.hidden)}
    has_bias = any(part.bias for part in group)
    return {**found, "bias": joined(shifts).reshape(rows)} if has_bias else found


def _output_map(part: Part, attention: Attention, features_first: bool) -> _Read:
    """The output's weight, and its bias where it has one; nothing where it is no such map."""
    weight = _weight_by_head(part, attention, features_first, is_output=True)
    outer = attention.maps["o"].shape[0]
    if weight is None or (part.bias is not None and part.bias.numel != outer):
        return {}
    flat = weight.permute(2, 0, 1).reshape(outer, -1)
    found = {"weight": flat}
    return found if part.bias is None else {**found, "bias": part.bias.reshape(part.bias.numel)}


def _weight_by_head(
    part: Part, attention: Attention, features_first: bool, is_output: bool = False
) -> Held | None:
    """[heads, width, hidden] of a weight whose axes are these, some of them in one."""
    weight, shape = part.weight, part.shape
    width = attention.width
    hidden = attention.maps["o"].shape[0] if is_output else attention.hidden
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
