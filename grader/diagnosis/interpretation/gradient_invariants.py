"""What gradients tell of an attention's parameters, whatever surrounds it; knows no layout.

Scores are queryᵀ · key, so a change of basis in the query and its inverse in the key cancel, and
so do one in the value and its inverse in the output. What cancels has no gradient: in each head
∇W_q W_qᵀ equals the transpose of ∇W_k W_kᵀ, and ∇W_v W_vᵀ equals W_oᵀ ∇W_o. That holds behind any
norm, mask or scale, so it tells which weights, cut in which way, belong together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from .parameters import Layout, Read, Values

_NEAR = 2e-3  # of the largest number: gradients come in single precision


@dataclass(frozen=True)
class Invariants:
    """Values of all parameters, and their gradients in two calls.

    `single`: of a call with a single token, in which queries and keys have none. `many`: of a call
    with several.
    """

    values: Values
    single: Values
    many: Values
    cache: dict[Any, Any] = field(default_factory=dict, compare=False)  # what was found with them


def flows_right(layout: Layout, invariants: Invariants, kind: str = "w") -> bool:
    """Whether, for a single token, queries and keys have no gradient and the rest has some.

    `kind`: "w" for the weights of a layout, "b" for its biases.
    """
    there = [role for role in "qkvo" if f"{role}_{kind}" in layout]
    moving = {role: bool(layout[f"{role}_{kind}"](invariants.single).any()) for role in there}
    return all(moves == (role in "vo") for role, moves in moving.items())


def query_fits_key(layout: Layout, invariants: Invariants, exact: bool = False) -> bool:
    """Whether the gradients are those of a query and a key of the same scores.

    `exact`: the biases are those of the layout; otherwise there may be one more.
    """
    if not {"q_w", "k_w"} <= layout.keys():
        return True
    return agree(
        turned(layout, "q", invariants), turned(layout, "k", invariants).transpose(1, 2), exact
    )


def value_fits_output(layout: Layout, invariants: Invariants, exact: bool = False) -> bool:
    """Whether the gradients are those of a value and of the output projection behind it."""
    if not {"v_w", "o_w"} <= layout.keys():
        return True
    return agree(turned(layout, "v", invariants), turned_back(layout, invariants), exact)


def turned(layout: Layout, role: str, invariants: Invariants) -> Tensor:
    """The gradient of a change of basis in one role, [heads, head_dim, head_dim]."""
    weight, gradient = layout[role + "_w"](invariants.values), layout[role + "_w"](invariants.many)
    found = gradient @ weight.transpose(1, 2)
    return found + shifted(layout[role + "_b"], invariants) if role + "_b" in layout else found


def shifted(bias: Read, invariants: Invariants) -> Tensor:
    """What a bias adds to that."""
    return bias(invariants.many)[:, :, None] * bias(invariants.values)[:, None, :]


def turned_back(layout: Layout, invariants: Invariants) -> Tensor:
    """The gradient of a change of basis in the values, by the output behind them."""
    return torch.einsum(
        "ehj,ehk->hjk", layout["o_w"](invariants.values), layout["o_w"](invariants.many)
    )


def agree(one: Tensor, other: Tensor, exact: bool = True) -> bool:
    """Whether two of these are the same, up to a bias's part where that is not known exactly."""
    if one.shape != other.shape:
        return False
    largest = max(float(one.abs().max()), float(other.abs().max()))
    rest = one - other
    if exact:
        return float(rest.abs().max()) <= _NEAR * largest
    if not bool(torch.isfinite(rest).all()):
        return False
    return float(torch.linalg.svdvals(rest.double())[:, 1:].max()) <= 2 * _NEAR * largest
