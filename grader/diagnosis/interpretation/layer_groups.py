"""Ways to part a stack's parameters into equal layers; knows no values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from .parameters import Param

_MOST_WAYS = 16
Grouping = list[list[Param]]  # the parameters of each layer


def layer_groups(params: Sequence[Param], count: int, inner: int) -> list[Grouping]:
    """Ways to find `count` equal layers, likely ones first; what is in none stands around them."""
    if count == 0:
        return [[]]
    # The tightest way: a group that holds a layer may hold the embeddings around it too.
    found = sorted(_by_names(params, count, inner), key=lambda whole: sum(map(len, whole)))[:1]
    found = found or _repeated_runs(params, count, inner)
    seen = {tuple(p.name for group in way for p in group): way for way in reversed(found)}
    ways = list(reversed(seen.values()))
    ways.sort(key=lambda way: not all(map(_has_norms, way)))
    return ways[:_MOST_WAYS]


def _by_names(params: Sequence[Param], count: int, inner: int) -> Iterator[Grouping]:
    """Layers whose parameters share a path, or a number somewhere in it."""
    ways: list[Callable[[str], str]] = [
        *((lambda name, d=depth: ".".join(name.split(".")[:d])) for depth in range(1, 8)),
        _first_number,  # parallel lists: attentions.0, norms.0 …
        _last_digits,  # layer_0, layer_1 …
    ]
    for key in ways:
        groups: dict[str, list[Param]] = {}
        for param in params:
            groups.setdefault(key(param.name), []).append(param)
        whole = [group for group in groups.values() if _is_layer(group, inner)]
        if len(whole) == count and _are_alike(whole):
            yield whole


def _are_alike(groups: Sequence[Sequence[Param]]) -> bool:
    return len({tuple(p.shape for p in group) for group in groups}) == 1


def _repeated_runs(params: Sequence[Param], count: int, inner: int) -> list[Grouping]:
    """Ways in which `count` repetitions of one sequence of shapes stand in order.

    Where several do, each shifted by some places against the other, that which cuts through fewest
    modules comes first.
    """
    shapes = [p.shape for p in params]
    found: list[tuple[int, Grouping]] = []
    for length in range(5, len(params) // count + 1):
        for start in range(len(params) - count * length + 1):
            starts = [start + index * length for index in range(count)]
            chunks = [shapes[s : s + length] for s in starts]
            if any(chunk != chunks[0] for chunk in chunks):
                continue
            groups = [list(params[s : s + length]) for s in starts]
            if all(_is_layer(group, inner) for group in groups):
                ends = [*starts, start + count * length]
                found.append((sum(_cuts_through(params, end) for end in ends), groups))
        if found:
            break
    return [groups for _, groups in sorted(found, key=lambda entry: entry[0])]


def _cuts_through(params: Sequence[Param], place: int) -> bool:
    """Whether the parameters before and behind a place belong to the same module."""
    if not 0 < place < len(params):
        return False
    return bool(params[place].owner) and params[place - 1].owner == params[place].owner


def _is_layer(group: Sequence[Param], inner: int) -> bool:
    """Whether a group holds a feed-forward network and something to attend with."""
    wide = [p for p in group if inner in p.shape]
    rest = [p for p in group if inner not in p.shape and len(p.shape) > 1]
    return bool(wide and rest)


def _has_norms(group: Sequence[Param]) -> bool:
    """Whether there are two scales of norms, by what they begin as."""
    return sum(p.ones for p in group) >= 2


def _first_number(name: str) -> str:
    return next((part for part in name.split(".") if part.isdigit()), "")


def _last_digits(name: str) -> str:
    found = re.search(r"(\d+)(?:\.|$)", name)
    return found.group(1) if found else ""
