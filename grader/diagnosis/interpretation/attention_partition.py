"""Ways to part a layer's projections among its attentions; knows no vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from .attention_layout import AttentionPartition
from .gradient_invariants import Invariants
from .layouts import Sizes
from .parameters import Layout, Param

_MOST_EACH = 8
_Parting = tuple[list[Param], ...]


def attention_partitions(
    projections: Sequence[Param],
    count: int,
    sizes: Sizes,
    roles: str,
    invariants: Invariants | None,
) -> list[tuple[AttentionPartition, ...]]:
    """Partitions for `count` attentions."""

    def partitions(parting: _Parting) -> tuple[AttentionPartition, ...]:
        size = sizes.heads, sizes.width, sizes.hidden
        return tuple(AttentionPartition(part, *size, roles, invariants) for part in parting)

    if count == 1:
        return [partitions((list(projections),))]
    return [partitions(parting) for parting in _by_names(projections, count, sizes)]


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
