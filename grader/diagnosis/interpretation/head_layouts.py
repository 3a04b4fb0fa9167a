"""Ways to read an attention whose heads are not as many and as wide as asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .attention_layout import attention_layouts
from .layer_layouts import linear_part
from .layouts import Parts, Sizes
from .used_parts import Part, Read

_JOINED = {"heads_averaged", "heads_summed"}
OTHER_HEADS = frozenset({"heads_shared", "one_key_value_head", "one_head", *_JOINED})
_FEW = 24


def other_heads(maps: Sequence[Part], sizes: Sizes, on: frozenset[str]) -> Iterator[Parts]:
    """Readings under one of these switches."""
    *inputs, output = maps if maps else [Part(None)]
    one = replace(sizes, heads=1)
    if "heads_shared" in on:
        for head in itertools.islice(attention_layouts(inputs, one, "qkv"), _FEW):
            shared = {name: _for_every_head(read, sizes.heads) for name, read in head.items()}
            yield from _with_output(shared, output, sizes, sizes.heads)
    elif "one_key_value_head" in on:
        yield from _shared_keys(inputs, output, sizes)
    else:
        heads = 1 if "one_head" in on else sizes.heads
        wide = replace(sizes, heads=heads, width=sizes.hidden)
        for own in (sizes, wide) if on & _JOINED else (wide,):
            for layout in itertools.islice(attention_layouts(inputs, own, "qkv"), _FEW):
                yield from _with_output(layout, output, own, 1)


def _shared_keys(inputs: Sequence[Part], output: Part, sizes: Sizes) -> Iterator[Parts]:
    """Queries of several heads, and one head's keys and values for all of them."""
    first = sizes.heads * sizes.width
    cut: list[Part] = []
    for part in inputs:
        if part.weight and len(part.shape) == 2 and part.shape[0] == first + 2 * sizes.width:
            ways = ((0, first), (first, 2 * sizes.width))
            cut += (
                Part(part.weight.rows(*way), part.bias and part.bias.rows(*way)) for way in ways
            )
        else:
            cut.append(part)
    unit = sizes.width * sizes.hidden
    asking = [p for p in cut if p.weight and p.weight.numel == sizes.heads * unit]
    narrow = [p for p in cut if p not in asking]
    for answer in attention_layouts(narrow, replace(sizes, heads=1), "kv"):
        shared = {name: _for_every_head(read, sizes.heads) for name, read in answer.items()}
        for query in attention_layouts([*asking, output], sizes, "qo"):
            yield {**query, **shared}


def _for_every_head(read: Read, heads: int) -> Read:
    return lambda values: read(values).expand(heads, *read(values).shape[1:])


def _with_output(layout: Parts, output: Part, sizes: Sizes, heads: int) -> Iterator[Parts]:
    """The reading with an output projection of so many heads."""
    part = linear_part(_flat(output, sizes, heads), sizes.hidden, heads * sizes.width)
    if part is None:
        return
    read = part["w"]
    full: Parts = {**layout, "o_w": lambda values: read(values).unflatten(1, (heads, -1))}
    if "b" in part:
        full["o_b"] = part["b"]
    yield full


def _flat(output: Part, sizes: Sizes, heads: int) -> Part:
    """The output with its heads and their features as one axis."""
    if output.weight is None or output.shape != (sizes.hidden, heads, sizes.width):
        return output
    read = output.weight.read
    shape = (sizes.hidden, heads * sizes.width)
    return Part(replace(output.weight, shape=shape, read=lambda v: read(v).flatten(1)), output.bias)
