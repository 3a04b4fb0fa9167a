"""Tells by slopes which maps are multiplied with each other, whatever else is wrong with a module.

Queries times M and keys times the inverse of M give the same scores, and so do values and the
output map: then slopes and weights balance. It knows no exercise, and what is wrong it does not
ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from ...diagnosis.interpretation.evidence import Evidence
from ...diagnosis.interpretation.layouts import evaluate

_SHARE = 1e-3  # of what is balanced; rounding is far smaller


def is_balanced(evidence: Evidence, parts: Any) -> bool:
    """Whether every attention of a reading is, as far as slopes are known."""
    slopes = evidence.slopes
    if slopes is None:
        return True
    pairs = zip(
        _attentions(evaluate(parts, evidence.values)),
        _attentions(evaluate(parts, slopes)),
        strict=True,
    )
    return all(_balances(weights, slope) for weights, slope in pairs)


def _attentions(roles: Any) -> Iterator[Mapping[str, Tensor]]:
    """What has queries and keys."""
    if isinstance(roles, Tensor):
        return
    if isinstance(roles, dict) and "q_w" in roles and "k_w" in roles:
        yield roles
        return
    for each in roles.values() if isinstance(roles, dict) else roles:
        yield from _attentions(each)


def _balances(weights: Mapping[str, Tensor], slopes: Mapping[str, Tensor]) -> bool:
    def of(role: str) -> Tensor:
        """[heads, width, width]: slopes by weights, over what the map gets."""
        one, other = slopes[f"{role}_w"], weights[f"{role}_w"]
        if role == "o":  # [hidden, heads, width]
            return torch.einsum("ihw,ihv->hwv", one, other)
        found = one @ other.transpose(1, 2)
        if f"{role}_b" in weights:
            found = found + slopes[f"{role}_b"][:, :, None] * weights[f"{role}_b"][:, None]
        return found

    def alike(one: Tensor, other: Tensor) -> bool:
        apart = (one - other.transpose(1, 2)).abs().max()
        return bool(apart <= _SHARE * max(float(one.abs().max()), float(other.abs().max())))

    has_output = "v_w" in weights and "o_w" in weights
    return alike(of("q"), of("k")) and (not has_output or alike(of("v"), of("o")))
