"""Norms, feed-forward, encoder layers and embeddings as plain mathematics with switches."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..misconceptions.changes import changes
from ..misconceptions.function_subject import forward
from ..misconceptions.switches import NONE, Switches, chosen
from .attention import attention
from .layouts import NORMED

Roles = Mapping[str, Tensor]
Parts = Mapping[str, Any]


def linear(roles: Roles, x: Tensor) -> Tensor:
    """x Wᵀ + b; roles w [out, in] and, where there is one, b [out]."""
    return F.linear(x, roles["w"], roles.get("b"))


def layer_norm(roles: Roles, x: Tensor, eps: float, on: Switches = NONE) -> Tensor:
    """Normalise each token; roles w and b [hidden], where there are any."""
    if on.isdisjoint(changes("LayerNorm")):
        return F.layer_norm(x, x.shape[-1:], roles.get("w"), roles.get("b"), eps)
    return forward(
        "LayerNorm", on, x, weight=roles.get("w", 1.0), bias=roles.get("b", 0.0), eps=eps
    )


def feed_forward(parts: Parts, x: Tensor, on: Switches = NONE) -> Tensor:
    """Linear, GELU, linear; parts expand and contract."""
    expand, contract = (partial(linear, parts[name]) for name in ("expand", "contract"))
    if on.isdisjoint(changes("FeedForward")):
        return contract(F.gelu(expand(x)))
    return forward("FeedForward", on, x, expand=expand, contract=contract, dropout=nn.Identity())


def self_attention(
    roles: Roles, x: Tensor, mask: Tensor | None = None, on: Switches = NONE
) -> Tensor:
    """Attention of a sequence to itself."""
    return attention(roles, x, x, mask, on)


class Sublayer(NamedTuple):
    """One step of a layer, with the norm that has this place, and the name of the place."""

    name: str
    run: Callable[[Tensor], Tensor]
    norm: Roles


def sublayers(
    steps: Sequence[Sublayer], x: Tensor, last: Roles, on: Switches, *, eps: float, post: bool
) -> Tensor:
    """Each step in its turn, with its norm in front or, `post`, behind, and a residual around it.

    `last` is the norm that a mistake adds at the end.
    """
    post = post != ("other_norm_order" in on)

    def norm(step: Sublayer, t: Tensor) -> Tensor:
        roles = steps[0].norm if "first_norm_twice" in on else step.norm
        return t if on & {"no_norms", f"no_{step.name}_norm"} else layer_norm(roles, t, eps, on)

    if "parallel" in on:
        return sum((step.run(norm(step, x)) for step in steps), x)
    start = before = x
    for which, step in zip(("first", "second", "third"), steps, strict=False):
        base = x
        inside = bool(on & {"norm_after_sublayers", f"norm_before_{which}_residual"})
        if inside:
            made = norm(step, step.run(x))
        elif post:
            made = step.run(x)
        elif "norm_on_residual" in on:
            made, base = step.run(x), norm(step, x)
        else:
            normed = norm(step, x)
            made = step.run(normed)
            base = normed if on & {"residuals_from_normed", f"{which}_residual_from_normed"} else x
        others = {f"{which}_residual_from_start": start, f"{which}_residual_from_second": before}
        before = x
        x = made if f"no_{step.name}_residual" in on else chosen(others, on, base) + made
        if post and not inside:
            x = norm(step, x)
    return layer_norm(last, x, eps) if "norm_once_more" in on else x


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

    def attend(t: Tensor) -> Tensor:
        memory = x if "queries_alone_normed" in on else t
        return attention(parts["attention"], t, memory, mask, on)

    def think(t: Tensor) -> Tensor:
        return feed_forward(parts, t, on)

    # Norms keep their places where steps change theirs.
    runs = (think, attend) if "feed_forward_before_attention" in on else (attend, think)
    norms = parts["norm1"], parts["norm2"]
    steps = [*map(Sublayer, NORMED[2], runs, norms)]
    if "no_feed_forward" in on:
        steps = steps[:1]
    return sublayers(steps, x, parts.get("norm3", norms[1]), on, eps=eps, post=post)


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
    position = torch.zeros(())
    batch, length = input_ids.shape
    rows = torch.arange(length)
    if "no_positions" not in on and "position" in parts:
        table = parts["position"]["w"]
        wrong = {
            "positions_from_one": rows + 1,
            "positions_reversed": rows.flip(0),
            "positions_all_first": rows * 0,
            "positions_over_batch": torch.arange(batch)[:, None],
            "positions_by_token": input_ids % len(table),
        }
        position = table[chosen(wrong, on, rows)]
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
