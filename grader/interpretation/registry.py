"""The module exercises with all that they are judged against."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch
from torch import Generator, Tensor

from ..misconceptions.modules_common import ATTENTION, CODE, FEED_FORWARD, NORM, NORM_ERRORS
from ..misconceptions.modules_stacks import (
    ADDITIVE,
    CLASSIFIER,
    CROSS,
    DECODER,
    EMBEDDINGS,
    ENCODER,
    LAYER,
    POOLER,
)
from ..misconceptions.subject import Misconception, Probe
from . import layers, stacks
from .attention import attention
from .attention_layout import attention_layouts
from .layouts import (
    Parts,
    feed_forward_layouts,
    layer_layouts,
    linear_part,
    norm_pairs,
    partners_of,
    roles_needed,
    transposed,
)
from .parameters import Param, Values
from .sizes import BATCH, LENGTH, OTHER_STACK, STACK, config
from .stack_layouts import StackSizes, embedding_layouts, stack_layouts
from .subject import ModuleSubject, Switches

HEAD_INPUT, HEAD_WIDTH = 12, 7
QUERY_DIM, KEY_DIM, SCORE_DIM = 6, 8, 5
EMBEDDING_EPS = 0.05
NORM_EPS = 0.1


def _normal(*shape: int) -> Callable[[Generator], Tensor]:
    return lambda generator: torch.randn(shape, generator=generator)


def _masks(length: int, keys: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """A padding mask [3, 1, key] as integers, and a mask for every query [3, query, key] as bool.

    Every row hides a key and shows a key: what code does with a row that hides all is outside the
    contract, also when it takes the mask the wrong way round.
    """
    padding = torch.ones(BATCH, 1, keys, dtype=torch.long)
    padding[0, 0, keys - 1] = 0
    padding[1, 0, keys - 2 :] = 0
    padding[2, 0, 2:] = 0
    each = torch.rand(BATCH, length, keys, generator=generator) > 0.45
    rows = torch.arange(length)
    each[:, rows, rows % keys] = True
    each[:, rows, (rows + 2) % keys] = False
    return padding, each


def _sequence_probes(width: int) -> Callable[[Generator], tuple[Probe, ...]]:
    """A hidden state without a mask, with both kinds of mask, and at another length."""

    def probes(generator: Generator) -> tuple[Probe, ...]:
        def x(batch: int, length: int) -> Tensor:
            return torch.randn(batch, length, width, generator=generator)

        padding, each = _masks(LENGTH, LENGTH, generator)
        return (
            Probe((x(BATCH, LENGTH),), label="no mask", gradient=True),
            Probe((x(BATCH, LENGTH), padding), label="a padding mask"),
            Probe((x(BATCH, LENGTH), each), label="a mask for every query", gradient=True),
            Probe((x(2, 6),), label="another length"),
        )

    return probes


def _plain_probes(width: int) -> Callable[[Generator], tuple[Probe, ...]]:
    def probes(generator: Generator) -> tuple[Probe, ...]:
        return tuple(
            Probe((torch.randn(*shape, width, generator=generator) * scale,), gradient=gradient)
            for shape, scale, gradient in (
                ((BATCH, LENGTH), 1.0, True),
                ((2, 6), 2.0, False),
                ((BATCH, LENGTH), 0.3, True),
            )
        )

    return probes


def _single(width: int) -> Callable[[Generator], Probe]:
    return lambda generator: Probe(
        (torch.randn(BATCH, 1, width, generator=generator),), gradient=True
    )


def _bare_attention(sizes: Any, with_output: bool) -> Callable[..., Iterator[Parts]]:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        matrices = [p for p in params if len(p.shape) > 1]
        partners = partners_of(matrices, [p for p in params if len(p.shape) == 1])
        roles = roles_needed(on) if with_output else roles_needed(on).replace("o", "")
        if roles != ("qkvo" if with_output else "qkv"):
            zero = None
        if on & {"heads_averaged", "heads_summed", "first_head_only", "one_head"}:
            yield from _wide_heads(matrices, partners, sizes, 1 if "one_head" in on else sizes.heads)
            return
        yield from attention_layouts(
            matrices, partners, sizes.heads, sizes.width, sizes.hidden, roles, zero
        )

    return layouts


def _wide_heads(
    matrices: Sequence[Param], partners: Any, sizes: Any, heads: int
) -> Iterator[Parts]:
    """Heads as wide as the hidden state, and one square output projection."""
    squares = [p for p in matrices if p.shape == (sizes.hidden, sizes.hidden)]
    for output in reversed(squares):
        rest = [p for p in matrices if p.name != output.name]
        for way in ("plain", "transposed"):
            part = linear_part(output, partners.get(output.name), sizes.hidden, sizes.hidden)
            assert part is not None
            part = part if way == "plain" else transposed(part)
            found = attention_layouts(rest, partners, heads, sizes.hidden, sizes.hidden, "qkv")
            for layout in itertools.islice(found, 40):
                read = part["w"]
                full = {**layout, "o_w": lambda values, read=read: read(values).unsqueeze(1)}
                if "b" in part:
                    full["o_b"] = part["b"]
                yield full


def _attention_run(
    parts: Any, x: Tensor, mask: Tensor | None = None, on: Switches = frozenset()
) -> Tensor:
    return attention(parts, x, x, mask, on)


def _cross_run(
    parts: Any,
    x: Tensor,
    memory: Tensor,
    mask: Tensor | None = None,
    on: Switches = frozenset(),
) -> Tensor:
    return attention(parts, x, memory, mask, on)


def _cross_probes(width: int) -> Callable[[Generator], tuple[Probe, ...]]:
    def probes(generator: Generator) -> tuple[Probe, ...]:
        def draw(length: int) -> Tensor:
            return torch.randn(BATCH, length, width, generator=generator)

        padding, each = _masks(LENGTH, 6, generator)
        return (
            Probe((draw(LENGTH), draw(6)), gradient=True),
            Probe((draw(LENGTH), draw(6), padding)),
            Probe((draw(LENGTH), draw(6), each), gradient=True),
        )

    return probes


def _pick(turns: Sequence[Misconception], *names: str) -> tuple[Misconception, ...]:
    return tuple(turn for turn in turns if turn.id in names)


def _without(turns: Sequence[Misconception], *names: str) -> tuple[Misconception, ...]:
    return tuple(turn for turn in turns if turn.id not in names)


_WIDE = ("heads_averaged", "heads_summed", "first_head_only", "one_head")
_INNER_ATTENTION = _without(ATTENTION, *_WIDE)


def _attention_head() -> ModuleSubject:
    from .layouts import Sizes

    sizes = Sizes(HEAD_INPUT, 1, HEAD_WIDTH, 0)

    def run(parts: Any, x: Tensor, mask: Tensor | None = None, on: Switches = frozenset()) -> Tensor:
        if "scaled_by_model_root" in on:  # one head of many: d_model is the input's width here
            factor = (HEAD_WIDTH / HEAD_INPUT) ** 0.5
            parts = {**parts, **{n: parts[n] * factor for n in ("q_w", "q_b") if n in parts}}
            on = on - {"scaled_by_model_root"}
        return attention(parts, x, x, mask, on)

    skip = ("no_output_projection", "output_projected_twice", "heads_mixed_in_scores", *_WIDE)
    skip += ("softmax_heads", "scaled_by_model", "scaled_by_heads_root", "residual_inside")
    skip += ("split_without_transpose", "merge_without_transpose", "both_views_wrong")
    skip += ("merge_features_first", "v_not_projected", "q_not_projected", "k_not_projected")
    return ModuleSubject(
        "AttentionHead",
        (HEAD_INPUT, HEAD_WIDTH),
        run,
        _sequence_probes(HEAD_INPUT),
        _bare_attention(sizes, with_output=False),
        _without(ATTENTION, *skip),
        _single(HEAD_INPUT),
    )


def _multi_head(stack: StackSizes) -> ModuleSubject:
    return ModuleSubject(
        "MultiHeadAttention",
        (config(stack),),
        _attention_run,
        _sequence_probes(stack.layer.hidden),
        _bare_attention(stack.layer, with_output=True),
        ATTENTION,
        _single(stack.layer.hidden),
    )


def _cross(stack: StackSizes) -> ModuleSubject:
    width = stack.layer.hidden
    return ModuleSubject(
        "CrossAttention",
        (config(stack),),
        _cross_run,
        _cross_probes(width),
        _bare_attention(stack.layer, with_output=True),
        (*CROSS, *_without(ATTENTION, "one_head", "always_causal", "scores_transposed")),
        lambda g: Probe(
            (torch.randn(BATCH, 1, width, generator=g), torch.randn(BATCH, 1, width, generator=g)),
            gradient=True,
        ),
    )


def _feed_forward(stack: StackSizes) -> ModuleSubject:
    hidden = stack.layer.hidden

    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        matrices = [p for p in params if len(p.shape) > 1]
        partners = partners_of(matrices, [p for p in params if len(p.shape) == 1])
        inner = 4 * hidden if "inner_four_times" in on else stack.layer.intermediate
        bias = "feed_forward_without_bias" not in on
        yield from feed_forward_layouts(matrices, partners, hidden, inner, bias)

    def run(parts: Any, x: Tensor, on: Switches = frozenset()) -> Tensor:
        return layers.feed_forward(parts, x, on)

    def probes(generator: Generator) -> tuple[Probe, ...]:
        return _plain_probes(hidden)(generator)

    return ModuleSubject(
        "FeedForward", (config(stack),), run, probes, layouts, FEED_FORWARD, tolerance=1e-5
    )


def _layer_norm() -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        if "norm_without_parameters" in on:
            yield {}
            return
        vectors = [p for p in params if len(p.shape) == 1]
        for pair in norm_pairs(vectors):
            if "b" in pair:
                yield pair
                yield {"w": pair["b"], "b": pair["w"]}
            elif "norm_without_shift" in on:
                yield pair

    def run(parts: Any, x: Tensor, on: Switches = frozenset()) -> Tensor:
        return layers.layer_norm(parts, x, NORM_EPS, on)

    def probes(generator: Generator) -> tuple[Probe, ...]:
        shift = torch.randn(BATCH, LENGTH, 1, generator=generator)
        x = torch.randn(BATCH, LENGTH, 7, generator=generator)
        return (
            Probe((x + shift,), gradient=True),
            Probe((x * 0.2 + 2 * shift,), gradient=True),
            Probe((torch.randn(2, 6, 7, generator=generator) * 5,)),
        )

    turns = (*NORM, *NORM_ERRORS)
    return ModuleSubject("LayerNorm", (7, NORM_EPS), run, probes, layouts, turns, tolerance=2e-5)


def _layer(exercise: str, post: bool, stack: StackSizes) -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        yield from layer_layouts(params, stack.layer, zero, on=on)

    def run(parts: Any, x: Tensor, mask: Tensor | None = None, on: Switches = frozenset()) -> Tensor:
        return layers.encoder_layer(parts, x, mask, 1e-6, post, on)

    inapt = (
        ("norm_before_first_residual", "norm_before_second_residual")
        if not post
        else ("first_residual_from_normed", "second_residual_from_normed", "norm_after_sublayers")
    )
    return ModuleSubject(
        exercise,
        (config(stack),),
        run,
        _sequence_probes(stack.layer.hidden),
        layouts,
        (*_without(LAYER, *inapt), *FEED_FORWARD, *_INNER_ATTENTION, *_without(NORM, *_EPS)),
        _single(stack.layer.hidden),
    )


_EPS = (
    "eps_ignored",
    "eps_1e12",
    "eps_1e5",
    "eps_1e6",
    "eps_outside_root",
    "eps_twice",
    "norm_over_batch",
)


def _ids(stack: StackSizes, batch: int, length: int, generator: Generator) -> Tensor:
    return torch.randint(1, stack.vocab, (batch, length), generator=generator)


def _embeddings(stack: StackSizes) -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        for parts in embedding_layouts(params, stack, on):
            needed = {"token", "position", "token_type"}
            needed -= {"token_type"} if "no_token_types" in on else set()
            needed -= {"position"} if on & {"no_positions", "sinusoidal_positions"} else set()
            if needed <= parts.keys():
                yield parts

    def run(
        parts: Any, ids: Tensor, types: Tensor | None = None, on: Switches = frozenset()
    ) -> Tensor:
        return layers.embeddings(parts, ids, types, EMBEDDING_EPS, on)

    def probes(generator: Generator) -> tuple[Probe, ...]:
        types = torch.randint(0, 2, (BATCH, LENGTH), generator=generator)
        types[0, :2] = torch.tensor([0, 1])
        return (
            Probe((_ids(stack, BATCH, LENGTH, generator),), gradient=True),
            Probe((_ids(stack, BATCH, LENGTH, generator), types), gradient=True),
            Probe((_ids(stack, 2, 6, generator),)),
            Probe((_ids(stack, 1, 1, generator),)),
        )

    return ModuleSubject(
        "Embeddings",
        (config(stack, eps=EMBEDDING_EPS),),
        run,
        probes,
        layouts,
        (*EMBEDDINGS, *_without(NORM, "eps_ignored", "statistics_detached")),
    )


def _stack_probes(stack: StackSizes, extra: bool) -> Callable[[Generator], tuple[Probe, ...]]:
    def probes(generator: Generator) -> tuple[Probe, ...]:
        mask = torch.ones(BATCH, 5, dtype=torch.long)
        for row, kept in enumerate((3, 4, 2)):  # each row has padding
            mask[row, kept:] = 0
        flags = mask.flip(0).bool()
        found = [
            Probe((_ids(stack, BATCH, LENGTH, generator),), gradient=True),
            Probe((_ids(stack, BATCH, 5, generator), mask), gradient=True),
            Probe((_ids(stack, BATCH, 5, generator), flags)),
        ]
        if extra:
            types = torch.randint(0, 2, (BATCH, 5), generator=generator)
            found.append(Probe((_ids(stack, BATCH, 5, generator), mask, types)))
        return tuple(found)

    return probes


def _stack_single(stack: StackSizes) -> Callable[[Generator], Probe]:
    return lambda generator: Probe((_ids(stack, BATCH, 1, generator),), gradient=True)


def _encoder(stack: StackSizes) -> ModuleSubject:
    plain = replace(stack, labels=0)

    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        yield from stack_layouts(params, plain, zero, on)

    def run(parts: Any, ids: Tensor, mask: Tensor | None = None, on: Switches = frozenset()) -> Tensor:
        return stacks.encoder(parts, ids, mask, None, 1e-6, False, on)

    return ModuleSubject(
        "TransformerEncoder",
        (config(stack),),
        run,
        _stack_probes(stack, extra=False),
        layouts,
        (*ENCODER, *_STACK_EMBEDDINGS, *LAYER[:14], *FEED_FORWARD, *_INNER_ATTENTION),
        _stack_single(stack),
        tolerance=2e-4,
    )


_STACK_EMBEDDINGS = _without(
    EMBEDDINGS, "no_token_types", "default_type_left_out", "token_types_ignored", "token_types_swapped"
)


def _classifier(stack: StackSizes) -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        yield from stack_layouts(params, stack, zero, on)

    def run(parts: Any, ids: Tensor, mask: Tensor | None = None, on: Switches = frozenset()) -> Tensor:
        return stacks.classifier(parts, ids, mask, 1e-6, on)

    return ModuleSubject(
        "TransformerForSequenceClassification",
        (config(stack),),
        run,
        _stack_probes(stack, extra=False),
        layouts,
        (*CLASSIFIER, *ENCODER, *_STACK_EMBEDDINGS, *LAYER[:14], *FEED_FORWARD, *_INNER_ATTENTION),
        _stack_single(stack),
        tolerance=2e-4,
    )


def _bert(stack: StackSizes) -> ModuleSubject:
    plain = replace(stack, labels=0)

    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        for parts in stack_layouts(params, plain, zero, on):
            if ("final_norm" in parts) == ("final_norm_added" in on):
                if "token_type" in parts or "no_token_types" in on:
                    yield parts

    def run(
        parts: Any,
        ids: Tensor,
        mask: Tensor | None = None,
        types: Tensor | None = None,
        on: Switches = frozenset(),
    ) -> Tensor:
        return stacks.encoder(parts, ids, mask, types, 1e-6, True, on)

    added = Misconception(
        "final_norm_added",
        "One more LayerNorm follows the last layer: a post-norm layer already ends with one.",
        "What is the last thing that a post-norm layer does?",
    )
    post = _without(LAYER, "first_residual_from_normed", "second_residual_from_normed")
    return ModuleSubject(
        "BertEncoder",
        (config(stack),),
        run,
        _stack_probes(stack, extra=True),
        layouts,
        (added, *ENCODER, *EMBEDDINGS, *post[:14], *FEED_FORWARD, *_INNER_ATTENTION),
        _stack_single(stack),
        tolerance=2e-4,
    )


def _pooler(stack: StackSizes) -> ModuleSubject:
    hidden = stack.layer.hidden

    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        matrices = [p for p in params if p.shape == (hidden, hidden)]
        partners = partners_of(matrices, [p for p in params if len(p.shape) == 1])
        for weight in matrices:
            part = linear_part(weight, partners.get(weight.name), hidden, hidden)
            if part is not None and "b" in part:
                yield {"dense": part}
                yield {"dense": transposed(part)}

    return ModuleSubject(
        "Pooler", (config(stack),), stacks.pooler, _plain_probes(hidden), layouts, POOLER
    )


def _decoder_layer(stack: StackSizes) -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        yield from layer_layouts(
            params, stack.layer, zero, ("self", "cross"), ("norm1", "norm2", "norm3"), on
        )

    def run(
        parts: Any,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None = None,
        on: Switches = frozenset(),
    ) -> Tensor:
        return stacks.decoder_layer(parts, x, memory, mask, 1e-6, on)

    inner = _without(_INNER_ATTENTION, "mask_ignored", "mask_inverted", "always_causal")
    return ModuleSubject(
        "TransformerDecoderLayer",
        (config(stack),),
        run,
        _cross_probes(stack.layer.hidden),
        layouts,
        (*DECODER, *FEED_FORWARD, *inner),
    )


def _additive() -> ModuleSubject:
    def layouts(params: Sequence[Param], zero: Values | None, on: Switches) -> Iterator[Parts]:
        matrices = [p for p in params if len(p.shape) == 2]
        vectors = [p for p in params if len(p.shape) < 2]
        queries = [p for p in matrices if sorted(p.shape) == sorted((SCORE_DIM, QUERY_DIM))]
        keys = [p for p in matrices if sorted(p.shape) == sorted((SCORE_DIM, KEY_DIM))]
        for query, key in itertools.product(queries, keys):
            flat = [v for v in vectors if v.shape == (SCORE_DIM,)]
            scores = sorted(flat, key=lambda v: v.leaf == "bias") or [None]
            for score in scores:
                rest = [v for v in flat if v is not score]
                partners = partners_of([query, key], rest)
                parts: Parts = {
                    "query": linear_part(query, partners.get(query.name), SCORE_DIM, QUERY_DIM),
                    "key": linear_part(key, partners.get(key.name), SCORE_DIM, KEY_DIM),
                }
                if score is not None:
                    read = score.read()
                    parts["score"] = {"w": lambda values, read=read: read(values).unsqueeze(0)}
                    shifts = [v for v in vectors if v.shape == () and v.owner == score.owner]
                    if shifts:
                        single = shifts[0].read()
                        parts["score"]["b"] = lambda values, single=single: single(values).reshape(1)
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
        ADDITIVE,
    )


_SIZED = {
    "MultiHeadAttention": _multi_head,
    "CrossAttention": _cross,
    "FeedForward": _feed_forward,
    "Embeddings": _embeddings,
    "TransformerEncoderLayer": lambda stack: _layer("TransformerEncoderLayer", False, stack),
    "PostNormEncoderLayer": lambda stack: _layer("PostNormEncoderLayer", True, stack),
    "TransformerEncoder": _encoder,
    "TransformerForSequenceClassification": _classifier,
    "BertEncoder": _bert,
    "Pooler": _pooler,
    "TransformerDecoderLayer": _decoder_layer,
}
_FIXED = {"AttentionHead": _attention_head, "LayerNorm": _layer_norm, "AdditiveScores": _additive}


@cache
def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None where there is none."""
    if exercise in _SIZED:
        found = _SIZED[exercise](OTHER_STACK if other else STACK)
    elif exercise in _FIXED and not other:
        found = _FIXED[exercise]()
    else:
        return None
    unique = {turn.id: turn for turn in reversed((*found.misconceptions, *CODE))}
    ordered = [unique[name] for name in dict.fromkeys(t.id for t in (*found.misconceptions, *CODE))]
    return replace(found, misconceptions=tuple(ordered))
