"""Ways to read the parameters of a whole encoder and what follows it; knows no values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .clues import Clues
from .layer_groups import layer_groups
from .layer_layouts import layer_layouts
from .layouts import Parts, Sizes
from .pair_layouts import linear_part, norm_pairs, partners_of, table, transposed
from .parameters import Param
from .views import layers_apart

_READINGS = 60  # of a layer


@dataclass(frozen=True)
class StackSizes:
    """Sizes of everything around the layers."""

    layer: Sizes
    vocab: int
    positions: int
    types: int
    layers: int
    labels: int = 0


def _tables(params: Sequence[Param], sizes: StackSizes) -> Parts:
    """Token, position and type vectors: tables by their rows, upright or not, or one on another."""
    hidden = sizes.layer.hidden
    rows = {"token": sizes.vocab, "position": sizes.positions, "token_type": sizes.types}
    parts: Parts = {}
    for name, count in rows.items():
        for param in params:
            if param.shape == (count, hidden):
                parts[name] = table(param)
            elif param.shape == (hidden, count) and name not in parts:
                parts[name] = transposed(table(param))
    stacked = [p for p in params if p.shape == (sum(rows.values()), hidden)]
    if stacked and not parts:
        start = 0
        for name, count in rows.items():
            parts[name] = _rows(stacked[0], start, count)
            start += count
    return parts


def _rows(param: Param, start: int, count: int) -> Parts:
    read = param.read()
    return {"w": lambda values: read(values)[start : start + count]}


def embedding_layouts(
    params: Sequence[Param], sizes: StackSizes, on: frozenset[str] = frozenset()
) -> Iterator[Parts]:
    """Tables by their numbers of rows, and the norm."""
    hidden = sizes.layer.hidden
    parts = _tables(params, sizes)
    if "token" not in parts:
        return
    pairs = norm_pairs([p for p in params if p.shape == (hidden,)])
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
) -> Iterator[Parts]:
    """Embeddings, layers in order, and what is left: a final norm, a head."""
    hidden, count = sizes.layer.hidden, sizes.layers
    for name, other in (("one_layer_less", count - 1), ("one_layer_more", count + 1)):
        count = other if name in on else count
    shared_layers = "layers_shared" in on
    inner = 4 * hidden if "inner_four_times" in on else sizes.layer.intermediate
    groups = layer_groups(params, 1 if shared_layers else count, inner)
    if groups is None:  # an axis for the layers in front of their weights
        params = layers_apart(params, count)
        groups = layer_groups(params, count, inner)
    if groups is None:
        return
    inside = {p.name for group in groups for p in group}
    rest = [p for p in params if p.name not in inside]
    heads: list[Parts] = [{}]
    if sizes.labels:
        heads = []
        matrices = [p for p in rest if len(p.shape) == 2 and sizes.labels in p.shape]
        vectors = [p for p in rest if p.shape == (sizes.labels,)]
        for weight in matrices:
            part = linear_part(weight, vectors[0] if vectors else None, sizes.labels, hidden)
            if part is not None and ("b" in part or "head_without_bias" in on):
                heads.append({"head": part})
        used = {p.name for p in (*matrices, *vectors)}
        rest = [p for p in rest if p.name not in used]
    outside = norm_pairs([p for p in rest if p.shape == (hidden,)])
    tables = _tables(rest, sizes)
    if "token" not in tables:
        return
    norms: list[Parts] = []
    for pair in itertools.permutations(outside, min(2, len(outside))):
        norms.append(dict(zip(("norm", "final_norm"), pair, strict=False)))
    if len(outside) == 1:
        norms.append({"final_norm": outside[0]})
    norms = norms or [{}]
    each = [
        itertools.islice(layer_layouts(group, sizes.layer, clues, on=on), _READINGS)
        for group in groups
    ]
    for chosen in zip(*each, strict=False) if groups else [()]:
        layers = list(chosen) * (count if shared_layers else 1)  # all layers are read alike
        for norm in norms:
            for head in heads:
                yield {**tables, **norm, **head, "layers": layers}


__all__ = ["StackSizes", "embedding_layouts", "partners_of", "stack_layouts"]
