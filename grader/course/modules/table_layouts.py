"""Ways to read parts as the tables of embeddings, by their numbers of rows; knows no values."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import torch

from ...diagnosis.interpretation.held import Held, Part, joined
from .holders import Holders

_ROUND, _MOST_ROUNDED = 8, 128  # a vocabulary is rounded up to so many rows
_FIRST_ROWS = 2  # so many positions are never used, as in BART
_Tables = dict[str, Held]


def tables_of(parts: Sequence[Part], wanted: Holders) -> Iterator[tuple[_Tables, list[Part]]]:
    """Tables by the names of their weights, and the parts that are none of them."""
    if not wanted.tables:
        yield {}, list(parts)
        return
    rows = {name: holder.shape[0] for name, holder in wanted.tables.items()}
    hidden = next(iter(wanted.tables.values())).shape[1]
    for tables, rest in _all_tables(parts, rows, hidden):
        if tables.keys() | wanted.spare_tables >= rows.keys():
            yield {wanted.tables[n].leaf("weight"): table for n, table in tables.items()}, rest


def _all_tables(
    parts: Sequence[Part], rows: Mapping[str, int], hidden: int
) -> Iterator[tuple[_Tables, list[Part]]]:
    """Tables by their rows; then those with a vector for the token types in place of a map's rows.

    A narrow map may have as many rows as there are token types.
    """
    is_taken = False
    for tables, left in _by_rows(parts, rows, hidden):
        is_taken = is_taken or "token_type" in tables
        yield from _with_first_type(tables, left, rows)
    if is_taken:
        others = {name: count for name, count in rows.items() if name != "token_type"}
        for tables, left in _by_rows(parts, others, hidden):
            ways = _with_first_type(tables, left, rows)
            yield from (way for way in ways if "token_type" in way[0])


def _by_rows(
    parts: Sequence[Part], rows: Mapping[str, int], hidden: int
) -> Iterator[tuple[_Tables, list[Part]]]:
    alone: _Tables = {}
    left = [part for part in parts if part.is_used]
    unused = [part for part in parts if not part.is_used]
    upright = _ending_at_others(
        {part: table for part in parts if (table := _upright(part, hidden)) is not None}
    )
    for name, count in rows.items():
        for part in [*left, *unused]:
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
                yield {**alone, **cut}, [p for p in left if p is not part]
    spare = 0
    for name in missing:
        wide = [p for p in left if p in upright and _may_be(upright[p].shape[0], name, rows)]
        for part in wide[:1]:
            alone[name] = upright[part]
            left = [p for p in left if p is not part]
            spare = alone[name].shape[0] - rows[name] if name == "position" else 0
    for first in range(spare + 1):  # the first positions may be never used
        begin = {"position": first}
        yield {n: table.narrow(0, begin.get(n, 0), rows[n]) for n, table in alone.items()}, left


def _ending_at_others(tables: Mapping[Part, Held]) -> dict[Part, Held]:
    """The same, each up to where another begins: what is looked up further on in one parameter."""
    starts = {int(table.places[0, 0, 0]) for table in tables.values()}
    found = {}
    for part, table in tables.items():
        own = table.places[0, :, 0].tolist()
        end = next((i for i, place in enumerate(own) if i and place in starts), len(own))
        found[part] = table.narrow(0, 0, end)
    return found


def _may_be(found: int, name: str, rows: Mapping[str, int]) -> bool:
    """Whether a table may have so many rows to spare.

    A vocabulary is rounded up, two positions are left out, token types stand behind the others.
    """
    spare = 0 if name == "token_type" else found - rows[name]
    rounded = name == "token" and found % _ROUND == 0 and 0 < spare < _MOST_ROUNDED
    return rounded or 0 < spare <= max(rows.get("token_type", 0), _FIRST_ROWS)


def _upright(part: Part, hidden: int) -> Held | None:
    """A table [rows, hidden], shown that way or transposed; None where it is none."""
    if part.weight is None or len(part.shape) != 2 or hidden not in part.shape:
        return None
    return part.weight if part.shape[1] == hidden else part.weight.permute(1, 0)


def _with_first_type(
    tables: _Tables, left: list[Part], rows: Mapping[str, int]
) -> Iterator[tuple[_Tables, list[Part]]]:
    """A vector that is added to every token is the first token type, where no types are given."""
    yield tables, left
    if "token_type" in tables or "token_type" not in rows or not left:
        return
    first = left[0]
    row = first.weight if first.bias is None else first.bias if first.weight is None else None
    if row is not None and len(row.shape) == 1:
        others = torch.zeros(1, rows["token_type"] - 1, row.numel, dtype=torch.long)
        both = joined([row.reshape(1, row.numel), Held(others, row.names)])
        yield {**tables, "token_type": both}, left[1:]
