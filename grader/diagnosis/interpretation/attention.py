"""Attention as plain mathematics, with a switch for each known wrong turn; knows no layout."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor

Roles = Mapping[str, Tensor]
Switches = frozenset[str]


def attention(
    roles: Roles,
    hidden_state: Tensor,
    memory: Tensor,
    mask: Tensor | None,
    on: Switches = frozenset(),
) -> Tensor:
    """Attention from `hidden_state` [batch, query, hidden] into `memory` [batch, key, hidden].

    Roles: q_w, k_w, v_w [heads, head_dim, hidden]; q_b, k_b, v_b [heads, head_dim] where there are
    biases; o_w [hidden, heads, head_dim] and o_b [hidden] where there is an output projection.
    Returns [batch, query, hidden], or [batch, query, heads · head_dim] without one.
    """
    if "cross_swapped" in on:
        hidden_state, memory = memory, hidden_state
    if "cross_self" in on:
        memory = hidden_state
    if "cross_queries_from_memory" in on:
        hidden_state = memory
    keyed = hidden_state if "cross_keys_from_hidden" in on else memory
    valued = hidden_state if "cross_values_from_hidden" in on else memory
    # What a mistake leaves out need not even have parameters.
    key = None if "queries_with_queries" in on else _project(roles, "k", keyed, on)
    query = None if "keys_with_keys" in on else _project(roles, "q", hidden_state, on)
    query = key if query is None else query  # [batch, heads, query, head_dim]
    key = query if key is None else key
    assert query is not None and key is not None
    if "keys_as_values" in on:
        value = key
    elif "queries_as_values" in on:
        value = query
    else:
        value = _project(roles, "v", valued, on)
    weights = _weights(query, key, mask, on)  # [batch, heads, query, key]
    if "weights_transposed" in on:
        weights = weights.transpose(-2, -1)
    context = weights @ value  # [batch, heads, query, head_dim]
    if "heads_summed" in on:
        context = context.sum(1, keepdim=True)
    if "heads_averaged" in on:
        context = context.mean(1, keepdim=True)
    if "first_head_only" in on:
        context = context[:, :1]
    merged = _merged(context, on)
    if "o_w" in roles and "no_output_projection" not in on:
        merged = merged @ roles["o_w"].flatten(1).T
        if "o_b" in roles:
            merged = merged + roles["o_b"]
        if "output_projected_twice" in on:
            merged = merged @ roles["o_w"].flatten(1).T + roles.get("o_b", torch.zeros(()))
    if "residual_inside" in on:
        merged = merged + hidden_state
    if "activation_on_output" in on:
        merged = merged.relu()
    return merged


def _merged(context: Tensor, on: Switches) -> Tensor:
    """The heads' results [batch, heads, query, head_dim] side by side."""
    batch, heads, length, width = context.shape
    if "heads_reversed" in on:
        context = context.flip(1)
    if not on & {"merge_without_transpose", "both_views_wrong"}:
        order = (0, 3, 1, 2) if "merge_features_first" in on else (0, 2, 1, 3)
        if "heads_in_front" in on:  # of [batch, heads, head_dim, query], as einsum may leave it
            order = (0, 1, 3, 2)
        context = context.permute(order)
    return context.reshape(batch, length, heads * width)


def _project(roles: Roles, name: str, x: Tensor, on: Switches) -> Tensor:
    """[batch, seq, hidden] → [batch, heads, seq, head_dim]."""
    source = name
    if "one_projection" in on or ("keys_from_query_projection" in on and name == "k"):
        source = "q"
    elif "values_from_key_projection" in on and name == "v":
        source = "k"
    elif "values_from_query_projection" in on and name == "v":
        source = "q"
    elif "queries_from_key_projection" in on and name == "q":
        source = "k"
    batch, length, _ = x.shape
    if f"{name}_not_projected" in on or "nothing_projected" in on:
        flat = x
        heads, width = next(roles[f"{one}_w"].shape[:2] for one in "qkv" if f"{one}_w" in roles)
    else:
        weight = roles[source + "_w"]
        heads, width, _ = weight.shape
        flat = x @ weight.flatten(0, 1).T  # [batch, seq, heads · head_dim]
        if source + "_b" in roles and "bias_dropped" not in on:
            flat = flat + roles[source + "_b"].flatten()
    if "relu_on_projections" in on:
        flat = flat.relu()
    if "split_without_transpose" in on or "both_views_wrong" in on:
        return flat.reshape(batch, heads, length, width)
    return flat.reshape(batch, length, heads, width).transpose(1, 2)


def _weights(query: Tensor, key: Tensor, mask: Tensor | None, on: Switches) -> Tensor:
    scores = query @ key.transpose(-2, -1)  # [batch, heads, query, key]
    if "heads_mixed_in_scores" in on:
        scores = scores.sum(1, keepdim=True).expand(scores.shape)
    if "scores_transposed" in on and scores.shape[-1] == scores.shape[-2]:
        scores = scores.transpose(-2, -1)
    if "cosine" in on:
        scores = scores / (query.norm(dim=-1)[..., :, None] * key.norm(dim=-1)[..., None, :])
    if "absolute_scores" in on:
        scores = scores.abs()
    if "relu_scores" in on:
        scores = scores.relu()
    scores = scores * _scale(query, key, on)
    keep = None if mask is None or "mask_ignored" in on else _keep(mask, scores, on)
    if "always_causal" in on and not (mask is not None and "causal_unless_masked" in on):
        future = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        keep = future if keep is None else keep & future
    return _normalise(scores, keep, query.shape[-1], on)


def _scale(query: Tensor, key: Tensor, on: Switches) -> float:
    width, heads, length = query.shape[-1], query.shape[1], key.shape[-2]
    scales = {
        "no_scale": 1.0,
        "scaled_by_width": 1 / width,
        "scaled_by_model_root": 1 / math.sqrt(width * heads),
        "scaled_by_model": 1 / (width * heads),
        "scaled_by_heads_root": 1 / math.sqrt(heads),
        "scaled_by_heads": 1 / heads,
        "scaled_by_length_root": 1 / math.sqrt(length),
        "scaled_by_length": 1 / length,
        "scale_multiplied": math.sqrt(width),
        "scale_applied_to_both": 1 / width,
        "scaled_by_fourth_root": width**-0.25,
        "scaled_by_half_width": 1 / math.sqrt(width / 2),
        "scaled_by_eight": 1 / 8,
        "scaled_after_softmax": 1.0,
    }
    for name, scale in scales.items():
        if name in on:
            return scale
    return 1 / math.sqrt(width)


def _keep(mask: Tensor, scores: Tensor, on: Switches) -> Tensor:
    keep = mask.bool().unsqueeze(1)  # [batch, 1, query or 1, key]
    if "mask_inverted" in on:
        keep = ~keep
    if "mask_queries" in on:
        keep = keep.expand(-1, -1, scores.shape[-2], scores.shape[-1])
        keep = keep.transpose(-2, -1) if scores.shape[-1] == scores.shape[-2] else keep
    if "mask_of_first_row" in on:
        keep = keep[:1]
    if "mask_of_first_query" in on:
        keep = keep[:, :, :1]
    if "full_rows_seen" in on:
        keep = keep | ~keep.any(-1, keepdim=True)
    return keep


def _normalise(scores: Tensor, keep: Tensor | None, width: int, on: Switches) -> Tensor:
    hidden = torch.zeros(()) if keep is None else (~keep).to(scores.dtype)
    if keep is not None:
        if "mask_multiplied" in on:
            scores, keep = scores * keep, None
        elif "mask_fills_zero" in on:
            scores, keep = scores.masked_fill(~keep, 0.0), None
        elif "mask_added" in on:
            scores, keep = scores + keep.to(scores.dtype), None
        elif "mask_fills_minus_ten" in on:
            scores, keep = scores.masked_fill(~keep, -10.0), None
        elif "mask_fills_minus_one" in on:
            scores, keep = scores.masked_fill(~keep, -1.0), None
        elif "mask_fills_tiny" in on:
            scores, keep = scores.masked_fill(~keep, 1e-9), None
        elif "mask_after_softmax" not in on and "mask_after_renormalised" not in on:
            fill = -1e9 if "finite_fill" in on else float("-inf")
            if "hidden_rows_zero" in on:  # as where a loop over what is visible adds up nothing
                return scores.masked_fill(~keep, -1e9).softmax(-1) * keep
            if "fill_added" in on:  # where all is hidden, gradients flow
                scores = scores + torch.zeros(keep.shape).masked_fill(~keep, fill)
            else:
                scores = scores.masked_fill(~keep, fill)
            keep = None
    dim = -1
    for name, axis in (("softmax_queries", -2), ("softmax_heads", 1), ("softmax_batch", 0)):
        if name in on:
            dim = axis
    if "no_softmax" in on:
        weights = scores.masked_fill(scores.isinf(), 0.0)
    elif "sigmoid_weights" in on:
        weights = scores.sigmoid()
    elif "log_softmax" in on:
        weights = scores.log_softmax(dim)
    else:
        weights = scores.softmax(dim)
        if "softmax_twice" in on:
            weights = weights.softmax(dim)
    if keep is not None and "mask_after_softmax" in on:
        weights = weights * (1 - hidden)
    if "scaled_after_softmax" in on:
        weights = weights / math.sqrt(width)
    return weights
