"""Ways to read the parts of a whole encoder and what follows it; knows no values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ...diagnosis.interpretation.held import Held, Part, stacked
from ...diagnosis.interpretation.layouts import AROUND_LAYERS, Parts, Sizes
from ...diagnosis.interpretation.module_subject import Switches
from ...diagnosis.misconceptions.switches import chosen
from .attention_layout import linear_part
from .layer_layouts import layer_layouts, norm_part, with_shifts

_READINGS = 12  # of a layer
_ROUND, _MOST_ROUNDED = 8, 128  # a vocabulary is rounded up to so many rows
_FIRST_ROWS = 2  # so many positions are never used, as in BART
_LEFT_OUT = {  # by which switch a whole module may lack which part
    "no_token_types": "token_type",
    **dict.fromkeys(("no_positions", "sinusoidal_positions"), "position"),
    **dict.fromkeys(("no_embedding_norm", "norm_without_parameters"), "norm"),
}


@dataclass(frozen=True)
class StackSizes:
    """Sizes of everything around the layers."""

    layer: Sizes
    vocab: int
    positions: int
    types: int
    layers: int
    labels: int = 0


def tables_of(parts: Sequence[Part], sizes: StackSizes) -> Iterator[tuple[Parts, list[Part]]]:
    """Token, position and type vectors by their numbers of rows, and the parts that are none."""
    hidden = sizes.layer.hidden
    rows = {"token": sizes.vocab, "position": sizes.positions, "token_type": sizes.types}
    alone: dict[str, Held] = {}
    left = [part for part in parts if part.is_used]
    spare_tables = [part for part in parts if not part.is_used]
    upright = {part: table for part in parts if (table := _upright(part, hidden)) is not None}
    for name, count in rows.items():
        for part in [*left, *spare_tables]:
            if part in upright and upright[part].shape[0] == count:
                alone[name] = upright[part]
                left = [p for p in left if p is not part]
                break
    missing = [name for name in rows if name not in alone]
    for many in (3, 2) if missing else ():
        for names, part in itertools.product(itertools.permutations(rows, many), left):
            if not set(missing) <= set(names):
                continue
            if part in upright and upright[part].shape[0] == sum(rows[name] for name in names):
                starts = itertools.accumulate((rows[name] for name in names), initial=0)
                cut = {
                    name: upright[part].narrow(0, start, rows[name])
                    for name, start in zip(names, starts, strict=False)
                }
                rest = [p for p in left if p is not part]
                yield from _with_first_type(_tables({**alone, **cut}), rest)
    spare = 0
    for name in missing:
        wide = [p for p in left if p in upright and not _is_fixed(upright[p].shape[0], name, sizes)]
        for part in wide[:1]:
            alone[name] = upright[part]
            left = [p for p in left if p is not part]
            spare = alone[name].shape[0] - rows[name] if name == "position" else 0
    for first in range(spare + 1):  # the first positions may be never used
        begin = {"position": first}
        found = {n: table.narrow(0, begin.get(n, 0), rows[n]) for n, table in alone.items()}
        yield from _with_first_type(_tables(found), left)


def _tables(tables: Mapping[str, Held]) -> Parts:
    return {name: {"w": table} for name, table in tables.items()}


def _is_fixed(found: int, name: str, sizes: StackSizes) -> bool:
    """Whether so many rows can come from no config: they are more than a table has to spare.

    A vocabulary is rounded up, two positions are left out, token types stand behind the others.
    """
    count = {"token": sizes.vocab, "position": sizes.positions}.get(name, found + 1)
    spare = found - count
    rounded = name == "token" and found % _ROUND == 0 and 0 < spare < _MOST_ROUNDED
    return not (rounded or 0 < spare <= max(sizes.types, _FIRST_ROWS))


def _upright(part: Part, hidden: int) -> Held | None:
    """A table [rows, hidden], shown that way or transposed; None where it is none."""
    if part.weight is None or len(part.shape) != 2 or hidden not in part.shape:
        return None
    return part.weight if part.shape[1] == hidden else part.weight.permute(1, 0)


def _with_first_type(tables: Parts, left: list[Part]) -> Iterator[tuple[Parts, list[Part]]]:
    """A vector that is added to every token is the first token type, where no types are given."""
    yield tables, left
    if "token_type" in tables or not left:
        return
    first = left[0]
    row = first.weight if first.bias is None else first.bias if first.weight is None else None
    if row is not None and len(row.shape) == 1:
        yield {**tables, "token_type": {"w": row.reshape(1, *row.shape)}}, left[1:]


def embedding_layouts(parts: Sequence[Part], on: Switches, sizes: StackSizes) -> Iterator[Parts]:
    """Tables, and the norm behind them."""
    for tables, left in tables_of(parts, sizes):
        if not _is_whole(tables, {"token", "position", "token_type"}, on):
            continue
        if not left and on & {"no_embedding_norm", "norm_without_parameters"}:
            yield {**tables, "norm": {}}
        if len(left) == 1 and (left[0].bias is None) == ("norm_without_shift" in on):
            yield {**tables, "norm": norm_part(left[0])}


def _is_whole(found: Parts, needed: set[str], on: Switches) -> bool:
    """Whether a reading holds every part that these switches do not leave out."""
    return needed - {_LEFT_OUT[switch] for switch in on & _LEFT_OUT.keys()} <= found.keys()


def stack_layouts(
    parts: Sequence[Part], on: Switches, sizes: StackSizes, typed: bool = False
) -> Iterator[Parts]:
    """Embeddings, layers in the order of use, and what is left: a final norm, a head.

    `typed`: with token types, and no final norm but one that is a mistake; else both are free.
    """
    times = sizes.layers if "layers_shared" in on else 1
    needed = {"position", "norm", "token_type"} if typed else {"position", "norm"}
    for order in _orders(parts):
        is_read = False
        for tables, rest in tables_of(order, sizes):
            for before, groups, after in _layers(rest, sizes, on):
                around = _around(before, after, sizes, on)
                if around is None or not _is_whole({**tables, **around}, needed, on):
                    continue
                if typed and ("final_norm" in around) != ("final_norm_added" in on):
                    continue
                inside = on - AROUND_LAYERS
                each = [
                    islice(layer_layouts(group, inside, sizes.layer), _READINGS) for group in groups
                ]
                for alike in zip(*each, strict=False):  # all layers are read alike
                    is_read = True
                    yield {**tables, **around, "layers": list(alike) * times}
        if is_read:
            return


def _orders(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """As they are used first; then with each norm where it is used last, if that is at the end."""
    yield parts
    for norm in (p for p in parts if len(p.shape) == 1 and p.bias is not None):
        yield [*(p for p in parts if p is not norm), norm]


def _layers(
    parts: Sequence[Part], sizes: StackSizes, on: Switches
) -> Iterator[tuple[list[Part], list[list[Part]], list[Part]]]:
    """What is used before the layers, the parts of each layer, and what is used behind them."""
    count = sizes.layers
    built = {"one_layer_less": count - 1, "one_layer_more": count + 1, "layers_shared": 1}
    count = chosen(built, on, count)
    maps = [i for i, part in enumerate(parts) if len(part.shape) > 1]
    if sizes.labels:  # the last maps are the head's
        head = sorted((sizes.labels, sizes.layer.hidden))
        maps = maps[:-1] if maps and sorted(parts[maps[-1]].shape) == head else maps
        maps = maps[:-1] if "dense_in_front" in on else maps
    if not count or len(maps) < count:
        return
    for length in range((len(parts)) // count, len(maps) // count - 1, -1):
        for start in range(min(2, len(parts) - count * length) + 1):
            end = start + count * length
            if maps[0] < start or maps[-1] >= end:
                continue
            groups = [list(parts[start + i * length :][:length]) for i in range(count)]
            if all([p.form for p in group] == [p.form for p in groups[0]] for group in groups):
                yield list(parts[:start]), groups, list(parts[end:])


def _around(
    before: Sequence[Part], after: Sequence[Part], sizes: StackSizes, on: Switches
) -> Parts | None:
    """The embeddings' norm, the final norm and the head, where there is nothing else."""
    found: Parts = {}
    hidden = sizes.layer.hidden
    if len(before) > 1:
        return None
    if before:
        found["norm"] = norm_part(before[0])
    left = list(after)
    if before and not left and "final_norm_added" in on:  # the same one, once more
        found["final_norm"] = found["norm"]
    if left and left[0].shape == (hidden,) and left[0].bias is not None:
        found["final_norm"] = norm_part(left.pop(0))
    if sizes.labels:
        head = _head(with_shifts(_labels_together(left, sizes)), sizes, on)
        return None if head is None else {**found, **head}
    return None if left else found


def _labels_together(parts: Sequence[Part], sizes: StackSizes) -> list[Part]:
    """A vector, and perhaps a number, for each label as one map."""
    rows = [p.weight for p in parts if p.weight and p.weight.shape == (sizes.layer.hidden,)]
    numbers = [h for p in parts for h in (p.weight, p.bias) if h is not None and h.shape == ()]
    if len(rows) != sizes.labels or len(numbers) not in (0, sizes.labels):
        return list(parts)
    return [Part(stacked(rows), stacked(numbers) if numbers else None)]


def _head(parts: Sequence[Part], sizes: StackSizes, on: Switches) -> Parts | None:
    """The map to the labels; with a switch, a dense map in front of it."""
    hidden, labels = sizes.layer.hidden, sizes.labels
    own = list(parts)
    found: Parts = {}
    if "dense_in_front" in on and own:
        dense = linear_part(own.pop(0), hidden, hidden)
        if dense is None:
            return None
        found["dense"] = dense
    if len(own) != 1:
        return None
    head = linear_part(own[0], labels, hidden)
    if head is None or ("b" in head) == ("head_without_bias" in on):
        return None
    return {**found, "head": head}
