"""The module exercises with all that they are judged against; knows no candidate."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

import torch
from torch import Generator, Tensor

from ...diagnosis.interpretation.held import Part
from ...diagnosis.interpretation.layouts import Parts, Sizes, roles_needed
from ...diagnosis.interpretation.module_subject import ModuleSubject, Switches
from ...diagnosis.misconceptions.function_subject import Probe
from ...diagnosis.tolerances import FUNCTION
from . import layers, stacks
from .attention import attention
from .attention_layout import OTHER_HEADS, attention_layouts, linear_part, other_heads
from .layer_layouts import feed_forward_layouts, layer_layouts, norm_part, with_shifts
from .probes import (
    cross_probes,
    embeddings_probes,
    plain_probes,
    real_tokens,
    sequence_probes,
    single,
    stack_probes,
    stack_single,
)
from .sizes import BATCH, FREE_EPS, LENGTH, OTHER_STACK, PROMISED_EPS, STACK, config
from .stack_layouts import StackSizes, embedding_layouts, stack_layouts

NORM_EPS = 0.1
_HEAD = Sizes(hidden=12, heads=1, width=7, intermediate=0)
_QUERY_DIM, _KEY_DIM, _SCORE_DIM = 6, 8, 5
_WITHOUT_HEADS = {"FeedForward", "Embeddings", "Pooler"}


def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None if there is none."""
    fixed = None if other else _fixed().get(exercise)
    return fixed or _sized(OTHER_STACK if other else STACK).get(exercise)


def simpler_subject(exercise: str, simpler: str) -> ModuleSubject | None:
    """The same with one of its `layers` or `heads` alone; None where it has none of these."""
    if simpler == "layers":
        found = _sized(replace(STACK, layers=1)).get(exercise)
        return found if found is not None and found.is_deep else None
    if simpler == "heads" and exercise not in _WITHOUT_HEADS:
        layer = replace(STACK.layer, heads=1, width=STACK.layer.hidden)
        return _sized(replace(STACK, layer=layer)).get(exercise)
    return None


@cache
def _sized(stack: StackSizes) -> dict[str, ModuleSubject]:
    """The exercises that are built from a config, at these sizes."""
    hidden, layer, eps = stack.layer.hidden, stack.layer, FREE_EPS
    given = (config(stack),)
    plain = partial(plain_probes, hidden)
    sequence, one = partial(sequence_probes, hidden), partial(single, hidden)
    cross, pair = partial(cross_probes, hidden), partial(single, hidden, sequences=2)
    heads = partial(_attention_layouts, sizes=layer)
    forward = partial(feed_forward_layouts, sizes=layer)
    encoding = partial(layer_layouts, sizes=layer)
    decoding = partial(encoding, attentions=("self", "cross"), norms=("norm1", "norm2", "norm3"))
    pre, post = (partial(layers.encoder_layer, eps=eps, post=post) for post in (False, True))
    decode = partial(stacks.decoder_layer, eps=eps)
    embed = partial(layers.embeddings, eps=PROMISED_EPS)
    subjects = (
        ModuleSubject("MultiHeadAttention", given, layers.self_attention, sequence, heads, one),
        ModuleSubject("CrossAttention", given, attention, cross, heads, pair),
        ModuleSubject(
            "FeedForward", given, layers.feed_forward, plain, forward, tolerance=FUNCTION
        ),
        ModuleSubject("TransformerEncoderLayer", given, pre, sequence, encoding, one),
        ModuleSubject("PostNormEncoderLayer", given, post, sequence, encoding, one),
        ModuleSubject("TransformerDecoderLayer", given, decode, cross, decoding, pair),
        ModuleSubject(
            "Embeddings",
            (config(stack, PROMISED_EPS),),
            embed,
            partial(embeddings_probes, stack),
            partial(embedding_layouts, sizes=stack),
        ),
        ModuleSubject(
            "Pooler", given, stacks.pooler, plain, partial(_pooler_layouts, hidden=hidden)
        ),
        _deep("TransformerEncoder", stack, partial(stacks.encoder, eps=eps, post=False)),
        _deep("BertEncoder", stack, partial(stacks.encoder, eps=eps, post=True), typed=True),
        _deep(
            "TransformerForSequenceClassification",
            stack,
            partial(stacks.classifier, eps=eps),
            headed=True,
        ),
    )
    return {subject.exercise: subject for subject in subjects}


@cache
def _fixed() -> dict[str, ModuleSubject]:
    """The exercises that are given their sizes one by one."""
    head = ModuleSubject(
        "AttentionHead",
        (_HEAD.hidden, _HEAD.width),
        _one_head,
        partial(sequence_probes, _HEAD.hidden, loud=4.0),
        partial(_attention_layouts, sizes=_HEAD, with_output=False),
        partial(single, _HEAD.hidden),
    )
    run = partial(layers.layer_norm, eps=NORM_EPS)
    norm = ModuleSubject(
        "LayerNorm", (7, NORM_EPS), run, _norm_probes, _norm_layouts, tolerance=2e-5
    )
    dims = (_QUERY_DIM, _KEY_DIM, _SCORE_DIM)
    additive = ModuleSubject(
        "AdditiveScores", dims, stacks.additive_scores, _additive_probes, _additive_layouts
    )
    return {subject.exercise: subject for subject in (head, norm, additive)}


def _deep(
    exercise: str,
    stack: StackSizes,
    run: Callable[..., Tensor],
    headed: bool = False,
    typed: bool = False,
) -> ModuleSubject:
    """A stack; `headed`: it ends with a map to labels; `typed`: it is given token types too."""
    read = stack if headed else replace(stack, labels=0)
    return ModuleSubject(
        exercise,
        (config(stack),),
        run,
        partial(stack_probes, stack, typed),
        partial(stack_layouts, sizes=read, typed=typed),
        partial(stack_single, stack),
        tolerance=2e-4,
        is_deep=True,
        real=None if headed else real_tokens,
    )


def _pooler_layouts(parts: Sequence[Part], on: Switches, hidden: int) -> Iterator[Parts]:
    own = with_shifts(sorted(parts, key=lambda part: len(part.shape) < 2))
    dense = linear_part(own[0], hidden, hidden) if len(own) == 1 else None
    if dense is not None and ("b" in dense or "dense_without_bias" in on):
        yield {"dense": dense}


def _attention_layouts(
    parts: Sequence[Part], on: Switches, sizes: Sizes, with_output: bool = True
) -> Iterator[Parts]:
    """Of an attention alone."""
    maps = with_shifts(parts)
    if on & OTHER_HEADS:
        yield from other_heads(maps, sizes, on)
    else:
        roles = roles_needed(on)
        yield from attention_layouts(maps, sizes, roles if with_output else roles.replace("o", ""))


def _one_head(
    parts: Parts, x: Tensor, mask: Tensor | None = None, on: Switches = frozenset()
) -> Tensor:
    if "scaled_by_model_root" in on:  # one head of many: d_model is the input's width here
        factor = _HEAD.hidden**-0.5
        parts = {**parts, **{n: parts[n] * factor for n in ("q_w", "q_b") if n in parts}}
        on = on - {"scaled_by_model_root"} | {"unscaled"}
    return layers.self_attention(parts, x, mask, on)


def _norm_layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
    if "norm_without_parameters" in on:
        yield {}
        return
    for part in parts[:1]:
        norm = norm_part(part)
        if set(norm) == {"w", "b"} or (set(norm) == {"w"} and "norm_without_shift" in on):
            yield norm


def _norm_probes(generator: Generator) -> tuple[Probe, ...]:
    shift = torch.randn(BATCH, LENGTH, 1, generator=generator)
    x = torch.randn(BATCH, LENGTH, 7, generator=generator)
    return (
        Probe((x + shift,), gradient=True),
        Probe((x * 0.2 + 2 * shift,), gradient=True),
        Probe((torch.randn(2, 6, 7, generator=generator) * 5,)),
        Probe((x * 1e-5,), label="tokens 100,000 times smaller"),  # any fixed ε shows
    )


def _additive_probes(generator: Generator) -> tuple[Probe, ...]:
    def draw(batch: int, queries: int, keys: int, gradient: bool) -> Probe:
        query = torch.randn(batch, queries, _QUERY_DIM, generator=generator)
        key = torch.randn(batch, keys, _KEY_DIM, generator=generator)
        return Probe((query, key), gradient=gradient)

    return (draw(BATCH, 4, 7, True), draw(2, 9, 1, False), draw(1, 3, 3, True))


def _additive_layouts(parts: Sequence[Part], on: Switches) -> Iterator[Parts]:
    """Maps of queries and keys; what comes last is a vector, and perhaps a number."""
    maps = [part for part in parts if part.is_used]
    last = maps.pop() if maps and "no_v" not in on else None
    found = None if last is None else linear_part(last, 1, _SCORE_DIM)
    score = {} if found is None else {"score": found}
    for own in (with_shifts(maps), with_shifts(maps, lone=False)):
        for query, key in _query_and_key(own):
            yield {"query": query, "key": key, **score}


def _query_and_key(maps: Sequence[Part]) -> Iterator[tuple[Parts, Parts]]:
    """The maps of queries and of keys; one over both side by side is two, added."""
    both = _QUERY_DIM + _KEY_DIM
    if len(maps) == 1 and (part := linear_part(maps[0], _SCORE_DIM, both)) is not None:
        for first in (_QUERY_DIM, _KEY_DIM):
            left = part["w"].narrow(1, 0, first)
            right = part["w"].narrow(1, first, both - first)
            query, key = (left, right) if first == _QUERY_DIM else (right, left)
            yield {**part, "w": query}, {"w": key}
    elif len(maps) == 2:
        for one, other in itertools.permutations(maps):
            asking = linear_part(one, _SCORE_DIM, _QUERY_DIM)
            answering = linear_part(other, _SCORE_DIM, _KEY_DIM)
            if asking is not None and answering is not None:
                yield asking, answering
