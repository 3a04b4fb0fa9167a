"""What attention exercises are judged against; knows no candidate."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from ..misconceptions.function_subject import Probe
from . import stacks
from .attention import attention
from .attention_layout import attention_layouts
from .head_layouts import OTHER_HEADS, other_heads
from .layer_layouts import linear_part, with_shifts
from .layers import self_attention
from .layouts import Parts, Sizes, roles_needed
from .module_subject import Layouts, ModuleSubject, Switches
from .probes import cross_probes, sequence_probes, single, single_pair
from .sizes import BATCH, config
from .stack_layouts import StackSizes
from .used_parts import Part, Read

HEAD_INPUT, HEAD_WIDTH = 12, 7


QUERY_DIM, KEY_DIM, SCORE_DIM = 6, 8, 5


def attention_head() -> ModuleSubject:
    sizes = Sizes(HEAD_INPUT, 1, HEAD_WIDTH, 0)

    def run(
        parts: Any, x: Tensor, mask: Tensor | None = None, on: Switches = frozenset()
    ) -> Tensor:
        if "scaled_by_model_root" in on:  # one head of many: d_model is the input's width here
            factor = HEAD_INPUT**-0.5
            parts = {**parts, **{n: parts[n] * factor for n in ("q_w", "q_b") if n in parts}}
            on = on - {"scaled_by_model_root"} | {"unscaled"}
        return self_attention(parts, x, mask, on)

    return ModuleSubject(
        "AttentionHead",
        (HEAD_INPUT, HEAD_WIDTH),
        run,
        partial(sequence_probes, HEAD_INPUT, loud=4.0),
        _bare_attention(sizes, with_output=False),
        partial(single, HEAD_INPUT),
    )


def multi_head(stack: StackSizes) -> ModuleSubject:
    return ModuleSubject(
        "MultiHeadAttention",
        (config(stack),),
        self_attention,
        partial(sequence_probes, stack.layer.hidden),
        _bare_attention(stack.layer, with_output=True),
        partial(single, stack.layer.hidden),
    )


def cross_attention(stack: StackSizes) -> ModuleSubject:
    return ModuleSubject(
        "CrossAttention",
        (config(stack),),
        attention,
        partial(cross_probes, stack.layer.hidden),
        _bare_attention(stack.layer, with_output=True),
        partial(single_pair, stack.layer.hidden),
    )


def additive() -> ModuleSubject:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        parts = [part for part in parts if part.is_used]
        maps, score = (list(parts), {}) if "no_v" in on else (list(parts[:-1]), _score(parts))
        for own in (with_shifts(maps), with_shifts(maps, lone=False)):
            for query, key in _query_and_key(own):
                yield {"query": query, "key": key, **score}

    def probes(generator: Generator) -> tuple[Probe, ...]:
        def draw(batch: int, queries: int, keys: int, gradient: bool) -> Probe:
            query = torch.randn(batch, queries, QUERY_DIM, generator=generator)
            key = torch.randn(batch, keys, KEY_DIM, generator=generator)
            return Probe((query, key), gradient=gradient)

        return (draw(BATCH, 4, 7, True), draw(2, 9, 1, False), draw(1, 3, 3, True))

    return ModuleSubject(
        "AdditiveScores",
        (QUERY_DIM, KEY_DIM, SCORE_DIM),
        stacks.additive_scores,
        probes,
        layouts,
    )


def _score(parts: Sequence[Part]) -> Parts:
    """What comes last: a vector, and perhaps a number that is added."""
    found = linear_part(parts[-1], 1, SCORE_DIM) if parts else None
    return {} if found is None else {"score": found}


def _query_and_key(maps: Sequence[Part]) -> Iterator[tuple[Parts, Parts]]:
    """The maps of queries and of keys; one over both side by side is two, added."""
    both = QUERY_DIM + KEY_DIM
    if len(maps) == 1 and (part := linear_part(maps[0], SCORE_DIM, both)) is not None:
        for first in (QUERY_DIM, KEY_DIM):
            left, right = _columns(part["w"], first)
            query, key = (left, right) if first == QUERY_DIM else (right, left)
            yield {**part, "w": query}, {"w": key}
    elif len(maps) == 2:
        for one, other in itertools.permutations(maps):
            asking = linear_part(one, SCORE_DIM, QUERY_DIM)
            answering = linear_part(other, SCORE_DIM, KEY_DIM)
            if asking is not None and answering is not None:
                yield asking, answering


def _columns(read: Read, first: int) -> tuple[Read, Read]:
    return (lambda values: read(values)[:, :first]), (lambda values: read(values)[:, first:])


def _bare_attention(sizes: Any, with_output: bool) -> Layouts:
    def layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
        roles = roles_needed(on) if with_output else roles_needed(on).replace("o", "")
        maps = with_shifts(parts)
        if on & OTHER_HEADS:
            yield from other_heads(maps, sizes, on)
        else:
            yield from attention_layouts(maps, sizes, roles)

    return layouts
