"""Attention with a learner's numbers in it: CrossAttention's forward; knows no layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from torch import Tensor, nn
from torch.nn import functional as F

from ...diagnosis.misconceptions.function_subject import forward
from ...diagnosis.misconceptions.switches import Switches

Roles = Mapping[str, Tensor]
_PARTS = {"q": "query", "k": "key", "v": "value"}


class Projection(NamedTuple):
    """x Wᵀ + b, as nn.Linear computes it."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, x: Tensor) -> Tensor:
        """[..., in] → [..., out]."""
        return F.linear(x, self.weight, self.bias)


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
    What a mistake leaves out need not even have parameters.
    Returns [batch, query, hidden], or [batch, query, heads · head_dim] without one.
    """
    parts = {}
    for role, name in _PARTS.items():
        if f"{role}_w" in roles:
            shift = roles.get(f"{role}_b")
            shift = None if shift is None else shift.flatten()
            parts[name] = Projection(roles[f"{role}_w"].flatten(0, 1), shift)
    heads = next(len(roles[f"{role}_w"]) for role in _PARTS if f"{role}_w" in roles)
    output: Projection | nn.Identity = nn.Identity()
    if "o_w" in roles:
        output = Projection(roles["o_w"].flatten(1), roles.get("o_b"))
    given = {**parts, "output": output, "num_heads": heads}
    found: Tensor = forward("CrossAttention", on, hidden_state, memory, mask, **given)
    return found
