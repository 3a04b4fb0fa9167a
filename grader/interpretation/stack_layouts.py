"""Ways to read the parameters of a whole encoder and what follows it; knows no values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, tee

from .around import StackSizes, norms_apart, surroundings, tables_of
from .clues import Clues
from .layer_groups import Grouping, layer_groups
from .layer_layouts import layer_layouts
from .layouts import Parts
from .pair_layouts import norm_pairs
from .parameters import Param
from .turns import in_turns
from .views import labels_together, layers_apart

_READINGS, _AT_ONCE = 60, 24  # of a layer; of a way to part the layers
_FIRST, _BACKWARDS, _MOST_BACKWARDS = 4, 2, 12  # of those that take a list's last layer first


def embedding_layouts(
    params: Sequence[Param], sizes: StackSizes, on: frozenset[str] = frozenset()
) -> Iterator[Parts]:
    """Tables by their numbers of rows, and the norm."""
    hidden = sizes.layer.hidden
    params = norms_apart(params, hidden)
    pairs = norm_pairs([p for p in params if p.shape == (hidden,)])
    for parts in tables_of(params, sizes):
        if on & {"no_embedding_norm", "norm_without_parameters"}:
            yield {**parts, "norm": {}}
        for pair in pairs:
            if "b" in pair:
                yield {**parts, "norm": pair}


def stack_layouts(
    params: Sequence[Param],
    sizes: StackSizes,
    clues: Clues | None = None,
    on: frozenset[str] = frozenset(),
    is_whole: Callable[[Parts], bool] = bool,
) -> Iterator[Parts]:
    """Embeddings, layers in order, and what is left: a final norm, a head.

    `is_whole` is asked of the parts around the layers, before any layer is read.
    """
    if sizes.labels:
        params = labels_together(params, sizes.labels, sizes.layer.hidden)
    count = sizes.layers
    for name, other in (("one_layer_less", count - 1), ("one_layer_more", count + 1)):
        count = other if name in on else count
    inner = 4 * sizes.layer.hidden if "inner_four_times" in on else sizes.layer.intermediate
    shared = "layers_shared" in on
    ways = layer_groups(params, 1 if shared else count, inner)
    if not ways:  # an axis for the layers in front of their weights
        params = layers_apart(params, count)
        ways = layer_groups(params, count, inner)
    times = count if shared else 1

    around = [_around(way, params, sizes, on, is_whole) for way in ways]
    pairs = [
        tee(_read(way, outside, sizes, clues, times, on))
        for way, outside in zip(ways, around, strict=True)
        if outside
    ]
    onwards, others = [one for one, _ in pairs], [other for _, other in pairs]
    back = map(_turned, in_turns([islice(found, _MOST_BACKWARDS) for found in others], 1))
    for found in onwards[:_FIRST]:  # likely ones of each way before more of any
        yield from islice(found, max(1, _FIRST // len(onwards)))
    if times == 1 and count > 1:
        yield from islice(back, _BACKWARDS)
        onwards.append(back)
    yield from in_turns(onwards, _AT_ONCE)


def _turned(parts: Parts) -> Parts:
    """The same with the last of its layers first."""
    return {**parts, "layers": parts["layers"][::-1], "backwards": {}}


def _around(
    groups: Grouping,
    params: Sequence[Param],
    sizes: StackSizes,
    on: frozenset[str],
    is_whole: Callable[[Parts], bool],
) -> list[Parts]:
    """Readings of what is no layer, where these groups are the layers."""
    inside = {p.name for group in groups for p in group}
    outside = surroundings([p for p in params if p.name not in inside], sizes, on)
    return [parts for parts in outside if is_whole(parts)]


def _read(
    groups: Grouping,
    around: Sequence[Parts],
    sizes: StackSizes,
    clues: Clues | None,
    times: int,
    on: frozenset[str],
) -> Iterator[Parts]:
    """Readings with these groups as layers; `times`: how often each layer runs."""
    each = [islice(layer_layouts(group, sizes.layer, clues, on=on), _READINGS) for group in groups]
    for chosen in zip(*each, strict=False) if groups else [()]:  # all layers are read alike
        for outside in around:
            yield {**outside, "layers": list(chosen) * times}


__all__ = ["StackSizes", "embedding_layouts", "stack_layouts"]
