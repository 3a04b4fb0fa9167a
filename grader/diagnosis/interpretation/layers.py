"""Norms, feed-forward, encoder layers and embeddings as plain mathematics with switches."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..misconceptions.gelu import VARIANTS
from ..misconceptions.switches import NONE, STEP_BY_STEP, Switches, chosen
from .attention import attention

Roles = Mapping[str, Tensor]
Parts = Mapping[str, Any]


def linear(roles: Roles, x: Tensor) -> Tensor:
    """x Wᵀ + b; roles w [out, in] and, where there is one, b [out]."""
    return F.linear(x, roles["w"], roles.get("b"))


NORM_AXES: dict[str, Any] = {
    "norm_over_positions": 1,
    "norm_over_batch": 0,
    "norm_over_sentence": (1, 2),
    "norm_over_batch_and_positions": (0, 1),
}
EPSILONS = {"eps_ignored": 0.0, "eps_1e5": 1e-5, "eps_1e6": 1e-6, "eps_1e12": 1e-12}
_OF_NUMBERS = STEP_BY_STEP | frozenset(  # that change how numbers are normed
    {
        *(*NORM_AXES, *EPSILONS, "unbiased_variance", "no_mean", "mean_kept_above", "mean_only"),
        *("mean_kept_below", "eps_outside_root", "eps_twice", "divides_by_variance"),
        "multiplies_by_spread",
    }
)


def layer_norm(roles: Roles, x: Tensor, eps: float, on: Switches = NONE) -> Tensor:
    """Normalise each token; roles w and b [hidden], where there are any."""
    if on.isdisjoint(_OF_NUMBERS):
        normal = F.layer_norm(x, x.shape[-1:], eps=eps)
    else:
        normal = _normed(x, eps, on)
    weight, bias = roles.get("w"), roles.get("b")
    if "shift_before_scale" in on and weight is not None and bias is not None:
        return (normal + bias) * weight
    if "scale_plus_one" in on and weight is not None:
        weight = weight + 1
    if weight is not None and "scale_unused" not in on:
        normal = normal * weight
    if bias is not None and "shift_unused" not in on:
        normal = normal + bias
    return normal


def _normed(x: Tensor, eps: float, on: Switches) -> Tensor:
    """Numbers normed step by step, perhaps in a wrong way."""
    axes = chosen(NORM_AXES, on, -1) if x.dim() > 2 else -1
    mean = x.mean(axes, keepdim=True)
    centred = x - mean
    variance = centred.square().mean(axes, keepdim=True)
    if "unbiased_variance" in on:
        variance = x.var(axes, keepdim=True, unbiased=True)
    if "no_mean" in on:
        centred, variance = x, x.square().mean(axes, keepdim=True)
    if "mean_kept_above" in on:
        centred = x
    if "mean_kept_below" in on:
        variance = x.square().mean(axes, keepdim=True)
    if "mean_only" in on:
        variance, eps = torch.ones_like(variance), 0.0
    eps = chosen(EPSILONS, on, eps)
    usual = (variance + eps).sqrt()
    spreads = {
        "eps_outside_root": variance.sqrt() + eps,
        "eps_twice": usual + eps,
        "divides_by_variance": variance + eps,
    }
    spread = chosen(spreads, on, usual)
    return centred * spread if "multiplies_by_spread" in on else centred / spread


def activation(x: Tensor, on: Switches = NONE) -> Tensor:
    """GELU by the error function, or what is mistaken for it."""
    return chosen(VARIANTS, on, F.gelu)(x)


def feed_forward(parts: Parts, x: Tensor, on: Switches = NONE) -> Tensor:
    """Linear, GELU, linear; parts expand and contract."""
    start = x
    if "normed_inside_feed_forward" in on:
        x = F.layer_norm(x, x.shape[-1:])
    if "activation_first" in on:
        return linear(parts["contract"], linear(parts["expand"], activation(x, on)))
    hidden = linear(parts["expand"], x)
    if "activation_last" not in on:
        hidden = activation(hidden, on)
    if "activation_twice" in on:
        hidden = activation(hidden, on)
    out = linear(parts["contract"], hidden)
    if "activation_last" in on or "activation_on_both" in on:
        out = activation(out, on)
    if "feed_forward_residual" in on:
        out = out + start
    return out


def self_attention(
    roles: Roles, x: Tensor, mask: Tensor | None = None, on: Switches = NONE
) -> Tensor:
    """Attention of a sequence to itself."""
    return attention(roles, x, x, mask, on)


def encoder_layer(
    parts: Parts,
    x: Tensor,
    mask: Tensor | None = None,
    on: Switches = NONE,
    *,
    eps: float,
    post: bool,
) -> Tensor:
    """One encoder layer, pre- or post-norm; parts attention, expand, contract, norm1, norm2."""
    post = post != ("other_norm_order" in on)
    last = parts["norm3"] if "norm_of_its_own" in on else parts["norm2"]
    start = x

    def first(t: Tensor) -> Tensor:
        bare = on & {"no_norms", "no_attention_norm"}
        return t if bare else layer_norm(parts["norm1"], t, eps, on)

    def second(t: Tensor) -> Tensor:
        bare = on & {"no_norms", "no_feed_forward_norm"}
        own = parts["norm1" if "first_norm_twice" in on else "norm2"]
        return t if bare else layer_norm(own, t, eps, on)

    def attend(t: Tensor) -> Tensor:
        if "queries_alone_normed" in on:
            return attention(parts["attention"], t, start, mask, on)
        return self_attention(parts["attention"], t, mask, on)

    def think(t: Tensor) -> Tensor:
        return feed_forward(parts, t, on)

    if "feed_forward_before_attention" in on:
        attend, think = think, attend
    if "parallel" in on:
        return x + attend(first(x)) + think(second(x))
    if post:
        made = attend(x)
        added = made if "no_attention_residual" in on else x + made
        x = x + first(made) if "norm_before_first_residual" in on else first(added)
        if "no_feed_forward" in on:
            return x
        base = start if "second_residual_from_start" in on else x
        if "norm_before_second_residual" in on:
            return base + second(think(x))
        x = second(think(x) if "no_feed_forward_residual" in on else base + think(x))
        return layer_norm(last, x, eps) if "norm_once_more" in on else x
    if "norm_on_residual" in on:
        x = first(x) + attend(x)
        return second(x) + think(x)
    normed = first(x)
    base = normed if "first_residual_from_normed" in on else x
    if "norm_after_sublayers" in on:
        x = x + first(attend(x))
        return x + second(think(x))
    x = attend(normed) if "no_attention_residual" in on else base + attend(normed)
    if "no_feed_forward" in on:
        return x
    normed = second(x)
    base = normed if "second_residual_from_normed" in on else x
    if "second_residual_from_start" in on:
        base = start
    out = think(normed) if "no_feed_forward_residual" in on else base + think(normed)
    return layer_norm(last, out, eps) if "norm_once_more" in on else out


def embeddings(
    parts: Parts,
    input_ids: Tensor,
    token_type_ids: Tensor | None = None,
    on: Switches = NONE,
    *,
    eps: float,
) -> Tensor:
    """Token plus position plus type, normalised; parts token, position, token_type (w), norm."""
    token = parts["token"]["w"][input_ids]
    position = _positions(parts, input_ids, on)
    kind = _types(parts, token_type_ids, on)
    if "token_scaled_by_root" in on:
        token = token * math.sqrt(token.shape[-1])
    if "normed_before_sum" in on:
        pieces = (t.expand_as(token) for t in (token, position, kind))
        return torch.stack([layer_norm(parts["norm"], t, eps) for t in pieces]).sum(0)
    if "only_token_normed" in on:
        return layer_norm(parts["norm"], token, eps) + position + kind
    total = token + position + kind
    if "embeddings_multiplied" in on:
        total = token * position * kind
    if "no_embedding_norm" in on or "norm" not in parts:
        return total
    return layer_norm(parts["norm"], total, eps, on)


def _positions(parts: Parts, input_ids: Tensor, on: Switches) -> Tensor:
    batch, length = input_ids.shape
    rows = torch.arange(length)
    if "positions_from_one" in on:
        rows = rows + 1
    if "positions_reversed" in on:
        rows = rows.flip(0)
    if "positions_all_first" in on:
        rows = rows * 0
    if "no_positions" in on or "position" not in parts:
        position = torch.zeros(())
    elif "positions_over_batch" in on:
        position = parts["position"]["w"][torch.arange(batch)].unsqueeze(1)
    elif "positions_by_token" in on:
        position = parts["position"]["w"][input_ids % parts["position"]["w"].shape[0]]
    else:
        position = parts["position"]["w"][rows]
    if "sinusoidal_positions" in on:
        position = position + _sinusoids(length, parts["token"]["w"].shape[-1])
    return position


def _types(parts: Parts, token_type_ids: Tensor | None, on: Switches) -> Tensor:
    if "token_type" not in parts or "no_token_types" in on:
        return torch.zeros(())
    table: Tensor = parts["token_type"]["w"]
    if "token_types_ignored" in on:
        return table[0]
    if token_type_ids is not None:
        return table[1 - token_type_ids if "token_types_swapped" in on else token_type_ids]
    if "default_type_one" in on:
        return table[1]
    return torch.zeros(()) if "default_type_left_out" in on else table[0]


def _sinusoids(length: int, width: int) -> Tensor:
    rate = 10000.0 ** (-torch.arange(0, width, 2) / width)
    angle = torch.arange(length)[:, None] * rate  # [seq, ceil(width / 2)]
    table = torch.stack([angle.sin(), angle.cos()], dim=-1)  # [seq, ceil(width / 2), 2]
    return table.flatten(1)[:, :width]
