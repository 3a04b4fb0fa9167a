"""Stacks and decoder layers as mathematics with switches; small modules by their solutions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from ...diagnosis.interpretation.layouts import NORMED
from ...diagnosis.misconceptions.function_subject import around, forward
from ...diagnosis.misconceptions.switches import NONE, Switches, chosen
from .attention import attention
from .layers import (
    Parts,
    Sublayer,
    embeddings,
    encoder_layer,
    feed_forward,
    layer_norm,
    linear,
    sublayers,
)


def _as_it_is(x: Tensor) -> Tensor:
    return x


Step = Callable[[Tensor], Tensor]


def encoder(
    parts: Parts,
    input_ids: Tensor,
    mask: Tensor | None = None,
    token_type_ids: Tensor | None = None,
    on: Switches = NONE,
    *,
    eps: float,
    post: bool,
) -> Tensor:
    """Embeddings, layers and perhaps a final norm; mask [batch, seq] → [batch, seq, hidden]."""
    keep = None if mask is None or "mask_not_passed" in on else mask.bool()[:, None, :]
    if mask is None and "no_mask_hides_all" in on:
        keep = torch.ones_like(input_ids, dtype=torch.bool)[:, None, :]
    if keep is not None and "attention_mask_inverted" in on:
        keep = ~keep
    if keep is not None and "attention_mask_over_queries" in on:
        keep = keep.expand(-1, keep.shape[-1], -1).transpose(1, 2)
    first = embeddings(parts, input_ids, token_type_ids, on, eps=eps)
    x = first
    for index, layer in enumerate(parts["layers"]):
        if "every_layer_from_embeddings" in on:
            x = first
        seen = None if "mask_only_in_first_layer" in on and index else keep
        x = encoder_layer(layer, x, seen, on, eps=eps, post=post)
        if "final_norm" in parts and "final_norm_in_every_layer" in on:
            x = layer_norm(parts["final_norm"], x, eps, on)
        if "first_layer_only" in on:
            break
    if "residual_around_stack" in on:
        x = x + first
    if "final_norm" in parts and not on & {"no_final_norm", "final_norm_in_every_layer"}:
        x = layer_norm(parts["final_norm"], x, eps, on)
    return x


def classifier(
    parts: Parts,
    input_ids: Tensor,
    mask: Tensor | None = None,
    on: Switches = NONE,
    *,
    eps: float,
) -> Tensor:
    """Logits [batch, num_labels] from the first token of a pre-norm encoder."""
    return around(
        "TransformerForSequenceClassification",
        on,
        input_ids,
        mask,
        encoder=partial(encoder, parts, on=on, eps=eps, post=False),
        dropout=nn.Identity(),
        dense=partial(linear, parts.get("dense", {})),
        classifier=partial(linear, parts["head"]),
    )


def pooler(parts: Parts, hidden_state: Tensor, on: Switches = NONE) -> Tensor:
    """tanh of a linear map of the first token, [batch, hidden]."""
    return forward("Pooler", on, hidden_state, dense=partial(linear, parts["dense"]))


def decoder_layer(
    parts: Parts,
    hidden_state: Tensor,
    memory: Tensor,
    memory_mask: Tensor | None = None,
    on: Switches = NONE,
    *,
    eps: float,
) -> Tensor:
    """Causal self-attention, cross-attention and feed-forward, each pre-normed."""
    length = hidden_state.shape[1]
    ones = torch.ones(1, length, length, dtype=torch.bool)
    causal: Tensor | None = ones.tril()
    if "not_causal" in on:
        causal = None
    if "causal_one_ahead" in on:
        causal = ones.tril(1)
    if "causal_reversed" in on:
        causal = ones.triu(int("last_row_hidden" in on))
    if "causal_without_self" in on:
        causal = ones.tril(-1)
        causal[:, 0, 0] = not on & {"finite_fill", "first_row_hidden"}
    if "memory_mask_ignored" in on:
        memory_mask = None
    if memory_mask is not None and "memory_mask_inverted" in on:
        memory_mask = ~memory_mask.bool()
    norms = parts["norm1"], parts["norm2"], parts["norm3"]

    def look_back(t: Tensor) -> Tensor:
        return attention(parts["self"], t, t, causal, on)

    def look_across(t: Tensor) -> Tensor:
        if "no_memory" in on:
            return attention(parts["cross"], t, t, None, on)
        there = layer_norm(norms[1], memory, eps) if "memory_normed" in on else memory
        return attention(parts["cross"], t, there, memory_mask, on)

    def think(t: Tensor) -> Tensor:
        return feed_forward(parts, t, on)

    first, second = look_back, look_across
    if "cross_before_self" in on:
        first, second = second, first
    left_out = {"no_cross_attention": look_across, "no_self_attention": look_back}
    steps = [
        step
        for step in map(Sublayer, NORMED[3], (first, second, think), norms)
        if step.run is not chosen(left_out, on, None)
    ]
    return sublayers(steps, hidden_state, parts.get("norm4", norms[2]), on, eps=eps, post=False)


def additive_scores(parts: Parts, query: Tensor, key: Tensor, on: Switches = NONE) -> Tensor:
    """vᵀ tanh(W q + U k) for every pair; parts query, key (w) and score (w [1, hidden])."""
    maps = {name: partial(linear, roles) for name, roles in parts.items()}
    return forward(
        "AdditiveScores",
        on,
        query,
        key,
        query_projection=maps["query"],
        key_projection=maps["key"],
        score=maps.get("score"),
    )
