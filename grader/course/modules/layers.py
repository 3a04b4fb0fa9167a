"""Encoder layers as mathematics with switches; norms, networks, tables by their solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ...diagnosis.interpretation.layouts import NORMED
from ...diagnosis.misconceptions.changes import changes
from ...diagnosis.misconceptions.function_subject import around, forward
from ...diagnosis.misconceptions.switches import NONE, Switches, chosen
from .attention import attention

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
    tables = {
        name: _Table(parts[name]["w"]) if name in parts else _nothing
        for name in ("token", "position", "token_type")
    }
    norm = partial(layer_norm, parts["norm"], eps=eps, on=on) if "norm" in parts else nn.Identity()
    given = {**tables, "norm": norm, "dropout": nn.Identity()}
    found: Tensor = around("Embeddings", on, input_ids, token_type_ids, **given)
    return found


class _Table:
    """Rows by their number, as an nn.Embedding has them."""

    def __init__(self, weight: Tensor) -> None:
        self.weight = weight
        self.num_embeddings, self.embedding_dim = weight.shape

    def __call__(self, ids: Tensor) -> Tensor:
        return self.weight[ids]


def _nothing(ids: Tensor) -> Tensor:
    return torch.zeros(())
