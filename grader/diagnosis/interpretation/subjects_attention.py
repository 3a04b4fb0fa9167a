"""What attention exercises are judged against; knows no candidate."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from ..misconceptions.function_subject import Probe
from . import stacks
from .attention import attention
from .attention_layout import attention_layouts
from .gradient_invariants import Invariants
from .head_layouts import OTHER_HEADS, other_heads
from .layers import self_attention
from .layouts import Parts, Sizes, roles_needed, tell_of
from .module_subject import ModuleSubject, Switches
from .pair_layouts import linear_part, partners_of
from .parameters import Param, Read
from .probes import cross_probes, sequence_probes, single, single_pair
from .sizes import BATCH, config
from .stack_layouts import StackSizes

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
    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        matrices = [p for p in params if len(p.shape) == 2]
        vectors = [p for p in params if len(p.shape) < 2]
        queries = [p for p in matrices if sorted(p.shape) == sorted((SCORE_DIM, QUERY_DIM))]
        keys = [p for p in matrices if sorted(p.shape) == sorted((SCORE_DIM, KEY_DIM))]
        yield from _over_concatenation(matrices, vectors)
        for query, key in itertools.product(queries, keys):
            flat = [v for v in vectors if v.shape == (SCORE_DIM,)]
            scores: list[Param | None] = [*sorted(flat, key=lambda v: v.leaf == "bias")]
            scores = scores or [None]
            for score in scores:
                rest = [v for v in flat if v is not score]
                partners = partners_of([query, key], rest)
                parts: Parts = {
                    "query": linear_part(query, partners.get(query.name), SCORE_DIM, QUERY_DIM),
                    "key": linear_part(key, partners.get(key.name), SCORE_DIM, KEY_DIM),
                }
                owned = {partner.name for partner in partners.values()}
                shared = [v.read() for v in rest if v.name not in owned]
                if shared:  # added to both maps' sum: as good as the query's
                    own = [parts["query"]["b"]] if "b" in parts["query"] else []
                    parts["query"]["b"] = _added([*own, *shared])
                if score is not None:
                    read = score.read()
                    parts["score"] = {"w": lambda values, read=read: read(values).unsqueeze(0)}
                    shifts = [v for v in vectors if v.shape == () and v.owner == score.owner]
                    if shifts:
                        single = shifts[0].read()
                        parts["score"]["b"] = lambda values, one=single: one(values).reshape(1)
                if score is not None or "no_v" in on:
                    yield parts

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


def _over_concatenation(matrices: Sequence[Param], vectors: Sequence[Param]) -> Iterator[Parts]:
    """One map over query and key side by side is two maps, added."""
    both = QUERY_DIM + KEY_DIM
    for weight in (p for p in matrices if sorted(p.shape) == sorted((SCORE_DIM, both))):
        flat = sorted(
            (v for v in vectors if v.shape == (SCORE_DIM,)), key=lambda v: v.leaf == "bias"
        )
        for score in flat:
            bias = next((v for v in flat if v is not score), None)
            part = linear_part(weight, bias, SCORE_DIM, both)
            if part is None:
                continue
            for first in (QUERY_DIM, KEY_DIM):
                left, right = _columns(part["w"], first)
                query, key = (left, right) if first == QUERY_DIM else (right, left)
                shift = {"b": part["b"]} if "b" in part else {}
                yield {
                    "query": {"w": query, **shift},
                    "key": {"w": key},
                    "score": {"w": _row(score.read())},
                }


def _columns(read: Read, first: int) -> tuple[Read, Read]:
    return (lambda values: read(values)[:, :first]), (lambda values: read(values)[:, first:])


def _added(reads: Sequence[Read]) -> Read:
    return lambda values: torch.stack([read(values).flatten() for read in reads]).sum(0)


def _row(read: Read) -> Read:
    return lambda values: read(values).unsqueeze(0)


def _bare_attention(sizes: Any, with_output: bool) -> Callable[..., Iterator[Parts]]:
    def layouts(
        params: Sequence[Param], invariants: Invariants | None, on: Switches
    ) -> Iterator[Parts]:
        matrices = [p for p in params if p.numel >= sizes.width * sizes.hidden]
        partners = partners_of(matrices, [p for p in params if p.shape and p not in matrices])
        roles = roles_needed(on) if with_output else roles_needed(on).replace("o", "")
        invariants = invariants if tell_of(roles, "vo" if with_output else "v") else None
        if on & OTHER_HEADS:
            yield from other_heads(matrices, partners, sizes, on)
            return
        kept = {p.name for p in (*matrices, *partners.values())}
        left = [p for p in params if p.name not in kept and p.shape == (sizes.hidden,)]
        for layout in attention_layouts(
            matrices, partners, sizes.heads, sizes.width, sizes.hidden, roles, invariants
        ):  # one that belongs to no map is added to what all of them give
            alone = len(left) == 1 and "o" in roles and "o_b" not in layout
            yield {**layout, "o_b": left[0].read()} if alone else layout

    return layouts
