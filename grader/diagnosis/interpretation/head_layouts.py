"""Ways to read an attention whose heads are not as many and as wide as asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from torch import Tensor

from .attention_layout import attention_layouts
from .layouts import Parts, Sizes
from .pair_layouts import linear_part, transposed
from .parameters import Param, Read, Values

_JOINED = {"heads_averaged", "heads_summed"}
OTHER_HEADS = frozenset({"heads_shared", "one_key_value_head", "one_head", *_JOINED})
_FEW, _MANY = 24, 40
Partners = Mapping[str, Param]


def other_heads(
    matrices: Sequence[Param], partners: Partners, sizes: Sizes, on: frozenset[str]
) -> Iterator[Parts]:
    """Readings under one of these switches."""
    if "heads_shared" in on:
        yield from _shared_heads(matrices, partners, sizes)
    elif "one_key_value_head" in on:
        yield from _shared_keys(matrices, partners, sizes)
    else:
        heads = 1 if "one_head" in on else sizes.heads
        if on & _JOINED:
            yield from _joined_heads(matrices, partners, sizes)
        yield from _wide_heads(matrices, partners, sizes, heads)


def _shared_heads(matrices: Sequence[Param], partners: Partners, sizes: Sizes) -> Iterator[Parts]:
    """One head's projections, used by every head, and the output projection."""
    unit = sizes.width * sizes.hidden
    narrow = [p for p in matrices if p.numel % unit == 0 and p.numel <= 3 * unit]
    for output in (p for p in matrices if p.shape == (sizes.hidden, sizes.hidden)):
        part = linear_part(output, partners.get(output.name), sizes.hidden, sizes.hidden)
        rest = [p for p in narrow if p.name != output.name]
        for head in itertools.islice(
            attention_layouts(rest, partners, 1, sizes.width, sizes.hidden, "qkv"), _FEW
        ):
            full: Parts = {name: _for_every_head(read, sizes.heads) for name, read in head.items()}
            assert part is not None
            full["o_w"] = _by_head(part["w"], sizes.heads)
            if "b" in part:
                full["o_b"] = part["b"]
            yield full


def _shared_keys(matrices: Sequence[Param], partners: Partners, sizes: Sizes) -> Iterator[Parts]:
    """Queries of several heads, and one head's keys and values for all of them."""
    unit = sizes.width * sizes.hidden
    matrices, partners = _queries_apart(matrices, partners, sizes)
    asking = [p for p in matrices if p.numel >= sizes.heads * unit]
    narrow = [p for p in matrices if p.numel in (unit, 2 * unit)]
    answers = attention_layouts(narrow, partners, 1, sizes.width, sizes.hidden, "kv")
    found = attention_layouts(asking, partners, sizes.heads, sizes.width, sizes.hidden, "qo")
    answering = list(itertools.islice(answers, _FEW))
    for query in itertools.islice(found, _FEW):
        for answer in answering:
            shared = {name: _for_every_head(read, sizes.heads) for name, read in answer.items()}
            yield {**query, **shared}


def _queries_apart(
    matrices: Sequence[Param], partners: Partners, sizes: Sizes
) -> tuple[list[Param], dict[str, Param]]:
    """One map for all heads' queries and the one key and value behind them, in its two parts."""
    first, rest = sizes.heads * sizes.width, 2 * sizes.width
    found: list[Param] = []
    biases = dict(partners)
    for matrix in matrices:
        if sorted(matrix.shape) != sorted((first + rest, sizes.hidden)):
            found.append(matrix)
            continue
        axis = matrix.shape.index(first + rest)
        bias = biases.pop(matrix.name, None)
        for start, length, what in ((0, first, "queries"), (first, rest, "answers")):
            owner = f"{matrix.name}.{what}"
            part = matrix.part(axis, start, length, f"{owner}.weight", owner)
            found.append(part)
            if bias is not None:
                biases[part.name] = bias.part(0, start, length, f"{owner}.bias", owner)
    return found, biases


def _for_every_head(read: Read, heads: int) -> Read:
    def role(values: Values) -> Tensor:
        one = read(values)
        return one.expand(heads, *one.shape[1:])

    return role


def _by_head(read: Read, heads: int) -> Read:
    return lambda values: read(values).unflatten(1, (heads, -1))


def _joined_heads(matrices: Sequence[Param], partners: Partners, sizes: Sizes) -> Iterator[Parts]:
    """Heads of the usual width whose results become one, and an output map as narrow as that."""
    narrow = [p for p in matrices if sorted(p.shape) == sorted((sizes.width, sizes.hidden))]
    alone = [p for p in narrow if sum(p.shape == other.shape for other in narrow) == 1]
    for output in alone:
        part = linear_part(output, partners.get(output.name), sizes.hidden, sizes.width)
        rest = [p for p in matrices if p.name != output.name]
        size = sizes.heads, sizes.width, sizes.hidden
        if part is not None:
            yield from _with_output(attention_layouts(rest, partners, *size, "qkv"), part)


def _wide_heads(
    matrices: Sequence[Param], partners: Partners, sizes: Sizes, heads: int
) -> Iterator[Parts]:
    """Heads as wide as the hidden state, and one square output projection."""
    squares = [p for p in matrices if p.shape == (sizes.hidden, sizes.hidden)]
    for output in reversed(squares):
        rest = [p for p in matrices if p.name != output.name]
        plain = linear_part(output, partners.get(output.name), sizes.hidden, sizes.hidden)
        assert plain is not None
        for part in (plain, transposed(plain)):
            found = attention_layouts(rest, partners, heads, sizes.hidden, sizes.hidden, "qkv")
            yield from _with_output(found, part)


def _with_output(found: Iterator[Parts], part: Parts) -> Iterator[Parts]:
    """The readings with an output projection of what is as wide as one head."""
    for layout in itertools.islice(found, _MANY):
        full: Parts = {**layout, "o_w": _one_head_wide(part["w"])}
        if "b" in part:
            full["o_b"] = part["b"]
        yield full


def _one_head_wide(read: Read) -> Read:
    return lambda values: read(values).unsqueeze(1)  # [hidden, 1, width]
