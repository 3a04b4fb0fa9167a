"""Ways to part a layer's projections among its attentions; knows no vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from .attention_layout import AttentionPartition
from .gradient_invariants import Invariants
from .layouts import Sizes
from .parameters import Layout, Param

_MOST_PARTED, _MOST_EACH = 12, 8
_BY_CHANCE = 5  # gradients of values and outputs that cancel to zero in single precision
_Parting = tuple[list[Param], ...]


def attention_partitions(
    projections: Sequence[Param],
    count: int,
    sizes: Sizes,
    roles: str,
    invariants: Invariants | None,
) -> list[tuple[AttentionPartition, ...]]:
    """Partitions for `count` attentions; those that the gradients speak for first."""

    def partitions(parting: _Parting) -> tuple[AttentionPartition, ...]:
        size = sizes.heads, sizes.width, sizes.hidden
        return tuple(AttentionPartition(part, *size, roles, invariants) for part in parting)

    if count == 1:
        return [partitions((list(projections),))]
    named = [partitions(parting) for parting in _by_names(projections, count, sizes)]
    if invariants is None or (named and all(partition.likely() for partition in named[0])):
        return named
    known = [
        partitions(parting) for parting in _by_gradients(projections, count, sizes, invariants)
    ]
    known = [group for group in known if all(partition.likely() for partition in group)]
    return [*known, *named]


def together(found: Sequence[Iterator[Layout]]) -> Iterator[tuple[Layout, ...]]:
    """One reading for each attention, likely combinations first."""
    if len(found) == 1:
        yield from ((layout,) for layout in found[0])
        return
    options = [list(itertools.islice(layouts, _MOST_EACH)) for layouts in found]
    picks = itertools.product(*(range(len(option)) for option in options))
    for pick in sorted(picks, key=sum):
        yield tuple(option[index] for option, index in zip(options, pick, strict=True))


def _by_names(projections: Sequence[Param], count: int, sizes: Sizes) -> list[_Parting]:
    """By the modules that they are in, or else in order of registration."""
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

    def oddity(parts: _Parting) -> int:
        return sum("cross" in p.name.lower() or "enc" in p.name.lower() for p in parts[0])

    return sorted(found, key=oddity)


def _by_gradients(
    projections: Sequence[Param], count: int, sizes: Sizes, invariants: Invariants
) -> Iterator[_Parting]:
    """Every parting in which each attention has a query's and a key's worth without a gradient.

    With a single token, queries and keys have none.
    """
    used = [p for p in projections if not p.unused]
    if len(used) > _MOST_PARTED:
        return
    unit = sizes.heads * sizes.width * sizes.hidden
    still = {p.name: int((p.read()(invariants.single) == 0).sum()) for p in used}

    def whole(part: Sequence[Param]) -> bool:
        more = sum(still[p.name] for p in part) - 2 * unit
        return sum(p.numel for p in part) == 4 * unit and 0 <= more <= _BY_CHANCE

    def parted(left: Sequence[Param], more: int) -> Iterator[_Parting]:
        if not more:
            yield ()
            return
        for size in range(1, len(left) + 1):
            for part in itertools.combinations(left, size):
                if whole(part):
                    names = {p.name for p in part}
                    rest = [p for p in left if p.name not in names]
                    yield from ((list(part), *others) for others in parted(rest, more - 1))

    yield from parted(used, count)
