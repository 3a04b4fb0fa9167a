"""Ways to read the parameters of a whole encoder and what follows it; knows no values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, tee

from .gradient_invariants import Invariants
from .interleaved import Replay, in_turns
from .layer_groups import Grouping, layer_groups
from .layer_layouts import layer_layouts
from .layouts import AROUND_LAYERS, Parts
from .outside_layers import StackSizes, norms_apart, rows_together, surroundings, tables_of
from .pair_layouts import norm_pairs
from .parameters import Param

_READINGS, _AT_ONCE = 60, 24  # of a layer; of a way to part the layers
_FIRST, _BACKWARDS, _MOST_BACKWARDS = 4, 2, 12  # of those that take a list's last layer first


def embedding_layouts(
    params: Sequence[Param], sizes: StackSizes, on: frozenset[str] = frozenset()
) -> Iterator[Parts]:
    """Tables by their numbers of rows, and the norm."""
    hidden = sizes.layer.hidden
    params = rows_together(norms_apart(params, hidden), sizes)
    pairs = norm_pairs([p for p in params if p.shape == (hidden,)])
    for parts in tables_of(params, sizes):
        if on & {"no_embedding_norm", "norm_without_parameters"}:
            yield {**parts, "norm": {}}
        for pair in pairs:
            if ("b" in pair) != ("norm_without_shift" in on):
                yield {**parts, "norm": pair}


def stack_layouts(
    params: Sequence[Param],
    sizes: StackSizes,
    invariants: Invariants | None = None,
    on: frozenset[str] = frozenset(),
    is_whole: Callable[[Parts], bool] = bool,
) -> Iterator[Parts]:
    """Embeddings, layers in order, and what is left: a final norm, a head.

    `is_whole` is asked of the parts around the layers, before any layer is read.
    """
    times = sizes.layers if "layers_shared" in on else 1
    pairs = []
    for running, rest in _ways(params, sizes, invariants, on):
        outside = [parts for parts in surroundings(rest, sizes, on) if is_whole(parts)]
        if outside:
            pairs.append(tee(_read(running, outside, sizes, invariants, times, on)))
    onwards, others = [one for one, _ in pairs], [other for _, other in pairs]
    back = map(_turned, in_turns([islice(found, _MOST_BACKWARDS) for found in others], 1))
    for found in onwards[:_FIRST]:  # likely ones of each way before more of any
        yield from islice(found, max(1, _FIRST // len(onwards)))
    if times == 1 and sizes.layers > 1:
        yield from islice(back, _BACKWARDS)
        onwards.append(back)
    yield from in_turns(onwards, _AT_ONCE)


def _turned(parts: Parts) -> Parts:
    """The same with the last of its layers first."""
    return {**parts, "layers": parts["layers"][::-1], "backwards": {}}


def _ways(
    params: Sequence[Param], sizes: StackSizes, invariants: Invariants | None, on: frozenset[str]
) -> Iterator[tuple[Grouping, Sequence[Param]]]:
    """The groups of parameters that run as layers, and the parameters that are in none.

    Where a layer too few runs, or one for all, the others may be missing or be there unused.
    """
    count = sizes.layers
    inner = 4 * sizes.layer.hidden if "inner_four_times" in on else sizes.layer.intermediate
    built = {"one_layer_less": count - 1, "one_layer_more": count + 1, "layers_shared": 1}
    own = next((built[name] for name in built if name in on), count)
    for groups, rest in _grouped(params, count, inner) if own < count else ():
        for running, idle in ((groups[:own], groups[own:]), (groups[-own:], groups[:-own])):
            if all(_is_idle(param, invariants) for group in idle for param in group):
                yield running, rest
    for groups, rest in _grouped(params, own, inner):
        # Around the layers nothing has their inner width: that would be one more layer.
        if not any(inner in param.shape and not _is_idle(param, invariants) for param in rest):
            yield groups, rest


def _is_idle(param: Param, invariants: Invariants | None) -> bool:
    """Whether no answer depends on it."""
    return param.unused or (
        invariants is not None and not bool(param.read()(invariants.many).any())
    )


def _grouped(
    params: Sequence[Param], count: int, inner: int
) -> Iterator[tuple[Grouping, Sequence[Param]]]:
    """So many equal layers, and the parameters that are in none."""
    ways = layer_groups(params, count, inner)
    for way in ways:
        inside = {p.name for group in way for p in group}
        yield way, [p for p in params if p.name not in inside]


def _read(
    groups: Grouping,
    around: Sequence[Parts],
    sizes: StackSizes,
    invariants: Invariants | None,
    times: int,
    on: frozenset[str],
) -> Iterator[Parts]:
    """Readings with these groups as layers; `times`: how often each layer runs."""
    each = [_readings(group, sizes, invariants, on - AROUND_LAYERS) for group in groups]
    for chosen in zip(*each, strict=False) if groups else [()]:  # all layers are read alike
        for outside in around:
            yield {**outside, "layers": list(chosen) * times}


def _readings(
    group: Sequence[Param], sizes: StackSizes, invariants: Invariants | None, on: frozenset[str]
) -> Iterator[Parts]:
    """Readings of one layer, which are the same whatever stands around it."""
    if invariants is None:
        return islice(layer_layouts(group, sizes.layer, invariants, on=on), _READINGS)
    key = "layer", tuple(group), on
    if key not in invariants.cache:
        invariants.cache[key] = Replay(layer_layouts(group, sizes.layer, invariants, on=on))
    kept: Replay[Parts] = invariants.cache[key]
    return islice(kept, _READINGS)


__all__ = ["StackSizes", "embedding_layouts", "stack_layouts"]
