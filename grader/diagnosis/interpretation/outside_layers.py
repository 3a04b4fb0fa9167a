"""Ways to read what stands around a stack's layers: tables, norms, a head; knows no layer."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .layouts import Parts, Sizes
from .pair_layouts import linear_part, norm_pairs, partners_of, table, transposed
from .parameters import Param, together

_ROUND, _MOST_ROUNDED = 8, 128  # a vocabulary is rounded up to so many rows
_FIRST_ROWS = 2  # so many positions are never used, as in BART


@dataclass(frozen=True)
class StackSizes:
    """Sizes of everything around the layers."""

    layer: Sizes
    vocab: int
    positions: int
    types: int
    layers: int
    labels: int = 0


def norms_apart(params: Sequence[Param], hidden: int) -> list[Param]:
    """The same parameters, with those that hold scales among other vectors cut into vectors."""
    found: list[Param] = []
    for param in params:
        is_table = len(param.shape) > 1 and param.shape[-1] == hidden and param.numel <= 8 * hidden
        rows = vectors_of(param, hidden) if is_table else [param]
        found += rows if any(row.ones for row in rows) else [param]
    return found


def rows_together(params: Sequence[Param], sizes: StackSizes) -> list[Param]:
    """Vectors of a list, or side by side, as a table: as many as it has rows, where it has none.

    Norms have such vectors too, but begin as ones and zeros.
    """
    hidden = sizes.layer.hidden
    tables = [p.shape for p in params if len(p.shape) == 2]
    found = list(params)
    for count in (sizes.positions, sizes.types):
        if (count, hidden) in tables or (hidden, count) in tables:
            continue
        loose = [p for p in found if p.shape == (hidden,) and not (p.ones or p.zeros)]
        lists: dict[str, list[Param]] = {}
        for param in loose:
            lists.setdefault(re.sub(r"\d+", "", param.name), []).append(param)
        own = next((own for own in (*lists.values(), loose) if len(own) == count), None)
        if own is not None:
            taken = {p.name for p in own}
            found = [p for p in found if p.name not in taken]
            found.append(together(own, own[0].name))
    return found


def vectors_of(param: Param, hidden: int) -> list[Param]:
    """The vectors of the hidden size that a tensor holds, in order."""
    if len(param.shape) < 2:
        return [param]
    axis = 0 if param.shape[-1] == hidden else len(param.shape) - 1
    return [vector for row in along(param, axis) for vector in vectors_of(row, hidden)]


def along(param: Param, axis: int = 0) -> list[Param]:
    """A tensor's pieces along one axis."""
    return [
        param.part(axis, index, 1, f"{param.name}.{index}", param.owner)
        for index in range(param.shape[axis])
    ]


def tables_of(params: Sequence[Param], sizes: StackSizes) -> Iterator[Parts]:
    """Token, position and type vectors: tables by their rows, upright or not, or one on another."""
    hidden = sizes.layer.hidden
    rows = {"token": sizes.vocab, "position": sizes.positions, "token_type": sizes.types}
    alone: Parts = {}
    taken: set[str] = set()
    for name, count in rows.items():
        for param in params:
            if param.shape == (count, hidden):
                alone[name] = table(param)
                taken.add(param.name)
            elif param.shape == (hidden, count) and name not in alone:
                alone[name] = transposed(table(param))
                taken.add(param.name)
    left = {name: count for name, count in rows.items() if name not in alone}
    free = [p for p in params if p.name not in taken]
    found = list(_stacked(free, left, hidden)) or list(_with_spare_rows(free, left, hidden))
    for others in found or [{}]:
        parts = {**alone, **others}
        if "token" in parts:
            yield parts


def _stacked(params: Sequence[Param], rows: dict[str, int], hidden: int) -> Iterator[Parts]:
    """Several tables in one, in each order."""
    for many in range(len(rows), 1, -1):
        for names in itertools.permutations(rows, many):
            total = sum(rows[name] for name in names)
            for param in params:
                if param.shape not in ((total, hidden), (hidden, total)):
                    continue
                whole, start = table(param), 0
                whole = whole if param.shape == (total, hidden) else transposed(whole)
                parts: Parts = {}
                for name in names:
                    parts[name] = _rows(whole, start, rows[name])
                    start += rows[name]
                yield parts


def _with_spare_rows(params: Sequence[Param], rows: dict[str, int], hidden: int) -> Iterator[Parts]:
    """Tables with rows that nobody looks up, as a rounded vocabulary has, or BART's positions.

    More than that is a number that stands fixed in the code.
    """
    asked = [name for name in ("token", "position") if name in rows]
    wide = [p for p in params if len(p.shape) == 2 and p.shape[1] == hidden]
    wide = sorted(wide, key=lambda p: -p.shape[0])[: len(asked)]
    if not asked or len(wide) < len(asked):
        return
    starts = []
    for name, param in zip(asked, wide, strict=True):
        count, spare = param.shape[0], param.shape[0] - rows[name]
        rounded = name == "token" and count % _ROUND == 0 and 0 < spare < _MOST_ROUNDED
        if not (rounded or 0 < spare <= _FIRST_ROWS):
            return
        starts.append(range(spare + 1) if name == "position" else range(1))
    for chosen in itertools.product(*starts):
        yield {
            name: _rows(table(param), start, rows[name])
            for name, param, start in zip(asked, wide, chosen, strict=True)
        }


def _rows(whole: Parts, start: int, count: int) -> Parts:
    read = whole["w"]
    return {"w": lambda values: read(values)[start : start + count]}


def surroundings(
    params: Sequence[Param], sizes: StackSizes, on: frozenset[str] = frozenset()
) -> list[Parts]:
    """Tables, norms and, where there are labels, a head, in each likely way."""
    hidden = sizes.layer.hidden
    params = rows_together(norms_apart(params, hidden), sizes)
    heads: list[Parts] = [{}]
    if sizes.labels:
        heads, params = _heads(params, sizes, on)
    outside = norm_pairs([p for p in params if p.shape == (hidden,)])
    norms: list[Parts] = []
    for pair in itertools.permutations(outside, min(2, len(outside))):
        norms.append(dict(zip(("norm", "final_norm"), pair, strict=False)))
    if len(outside) == 1:
        norms.append({"final_norm": outside[0]})
    if len(outside) == 1 and "final_norm_added" in on:  # the same one, once more
        norms.append({"norm": outside[0], "final_norm": outside[0]})
    ways = itertools.product(tables_of(params, sizes), norms or [{}], heads)
    return [{**tables, **norm, **head} for tables, norm, head in ways]


def _heads(
    params: Sequence[Param], sizes: StackSizes, on: frozenset[str]
) -> tuple[list[Parts], list[Param]]:
    """The map to the labels, and the parameters that are none of it."""
    hidden, labels = sizes.layer.hidden, sizes.labels
    own = list(params)
    matrices = [p for p in own if len(p.shape) == 2 and labels in p.shape]
    vectors = [p for p in own if p.shape == (labels,)]
    heads: list[Parts] = []
    for weight in matrices:
        part = linear_part(weight, vectors[0] if vectors else None, labels, hidden)
        if part is not None and ("b" in part or "head_without_bias" in on):
            heads.append({"head": part})
    used = {p.name for p in (*matrices, *vectors)}
    left = [p for p in own if p.name not in used]
    return _with_dense(heads, left, hidden) if "dense_in_front" in on else (heads, left)


def _with_dense(
    heads: list[Parts], params: Sequence[Param], hidden: int
) -> tuple[list[Parts], list[Param]]:
    """Each head with one more square map in front of it, and the parameters that are left."""
    squares = [p for p in params if p.shape == (hidden, hidden)]
    biases = partners_of(squares, [p for p in params if p.shape == (hidden,)])
    maps = [linear_part(p, biases.get(p.name), hidden, hidden) for p in squares[:1]]
    found = [
        {**head, "dense": each}
        for head in heads
        for part in maps
        if part
        for each in (part, transposed(part))
    ]
    used = {p.name for p in (*squares[:1], *biases.values())}
    return found, [p for p in params if p.name not in used]
