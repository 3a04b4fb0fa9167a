"""Attention as plain mathematics, with a switch for each known wrong turn; knows no layout."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

from ..misconceptions.function_subject import known_of
from ..misconceptions.switches import Switches, chosen

Roles = Mapping[str, Tensor]
_OTHER_PROJECTIONS = {  # which of them a mistake takes for each
    "q": {"queries_from_key_projection": "k"},
    "k": {"one_projection": "q", "keys_from_query_projection": "q"},
    "v": {
        "one_projection": "q",
        "values_from_key_projection": "k",
        "values_from_query_projection": "q",
    },
}


def attention(
    roles: Roles,
    hidden_state: Tensor,
    memory: Tensor,
    mask: Tensor | None = None,
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
    if query is None or key is None:
        raise ValueError("queries and keys cannot both be made of each other")
    unused = on & {"keys_as_values", "queries_as_values"}
    value = key if unused else _project(roles, "v", valued, on)
    attend = known_of("MultiHeadAttention", on)["scaled_dot_product_attention"]
    context = attend(query, key, value, _seen(query, key, mask, on))  # [batch, heads, query, dim]
    if "heads_summed" in on:
        context = context.sum(1, keepdim=True)
    if "heads_averaged" in on:
        context = context.mean(1, keepdim=True)
    merged = _merged(context, on)
    if "o_w" in roles and "no_output_projection" not in on:
        for _ in range(1 + ("output_projected_twice" in on)):
            merged = F.linear(merged, roles["o_w"].flatten(1), roles.get("o_b"))
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
    source = chosen(_OTHER_PROJECTIONS[name], on, name)
    batch, length, _ = x.shape
    if f"{name}_not_projected" in on:
        flat = x
        heads, width = next(roles[f"{one}_w"].shape[:2] for one in "qkv" if f"{one}_w" in roles)
    else:
        weight = roles[source + "_w"]
        heads, width, _ = weight.shape
        bias = None if "bias_dropped" in on else roles.get(source + "_b")
        shift = None if bias is None else bias.flatten()
        flat = F.linear(x, weight.flatten(0, 1), shift)  # [batch, seq, heads · head_dim]
    if "relu_on_projections" in on:
        flat = flat.relu()
    if "split_without_transpose" in on or "both_views_wrong" in on:
        return flat.reshape(batch, heads, length, width)
    return flat.reshape(batch, length, heads, width).transpose(1, 2)


def _seen(query: Tensor, key: Tensor, mask: Tensor | None, on: Switches) -> Tensor | None:
    """What may be seen, [batch, 1, query or 1, key]; None: all."""
    keep = None if mask is None else mask.unsqueeze(1)
    if "always_causal" in on and not (mask is not None and "causal_unless_masked" in on):
        past = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool).tril()
        return past if keep is None else keep.bool() & past
    return keep
