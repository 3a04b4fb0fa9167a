"""Watches the dropout of a post-norm layer, each of its parts silenced in turn; judges no value.

A part that gives ones for every token goes through its dropout, is added to nothing and normalised:
what was zeroed is then the lower of two levels, whatever the norm made of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from ..misconceptions.modules_code import DROPOUT_PLACE, DROPOUT_RATE, NO_DROPOUT
from ..misconceptions.subject import Misconception
from .evidence import Evidence
from .places import Place, Places

_OUT = ("attention", "o_w"), ("attention", "o_b")
_CONTRACT = ("contract", "w"), ("contract", "b")
_TOKENS = 400


def post_norm_dropout(evidence: Evidence, names: Places, rate: float) -> Misconception | None:
    """How a post-norm layer's dropout is wrong; None where it is right."""
    hidden = evidence.probes[0].args[0].shape[-1]
    tokens = torch.randn(_TOKENS, 1, hidden, generator=torch.Generator().manual_seed(11))
    plain = {("norm1", "w"): 1.0, ("norm1", "b"): 0.0, ("norm2", "w"): 1.0, ("norm2", "b"): 0.0}
    silent = dict.fromkeys((*_OUT, *_CONTRACT), 0.0)
    try:
        drawn = _run(evidence, names, {**plain, **silent}, tokens)
        if not torch.allclose(drawn, _run(evidence, names, {}, tokens, train=False), atol=1e-4):
            return DROPOUT_PLACE  # what is added to is dropped too
        for site, rates in ((_OUT[1], (rate,)), (_CONTRACT[1], (rate, 1 - (1 - rate) ** 2))):
            if site not in names:
                continue
            levels = {**plain, **silent, site: 1.0}
            if site == _CONTRACT[1]:
                levels[("norm1", "w")] = 0.0  # the feed-forward network's ones are added to zeros
            drawn = _run(evidence, names, levels, torch.zeros_like(tokens))
            share = _share_of_lower(drawn)
            if share == 0:
                return NO_DROPOUT
            spread = 6 * (rate * (1 - rate) / drawn.numel()) ** 0.5
            if all(abs(share - wanted) > spread for wanted in rates):
                return DROPOUT_RATE
    finally:
        evidence.module.write(evidence.values)
    return None


def _run(
    evidence: Evidence,
    names: Places,
    numbers: Mapping[Place, float],
    tokens: Tensor,
    train: bool = True,
) -> Tensor:
    """The layer's answer [tokens, 1, hidden] with some roles set; with none set, as they were."""
    if numbers:
        values = {name: value.clone() for name, value in evidence.values.items()}
        for place, number in numbers.items():
            names.assign(values, place, number)
        evidence.module.write(values)
    value = evidence.module.run(tokens, train=train, seed=11).value
    if not isinstance(value, Tensor) or value.shape != tokens.shape:
        raise ValueError("a layer's answer has the shape of its input")
    return value


def _share_of_lower(drawn: Tensor) -> float:
    """The share of numbers at the lower level of their token, where there are two."""
    lowest, highest = drawn.amin(-1, keepdim=True), drawn.amax(-1, keepdim=True)
    lower = (drawn < (lowest + highest) / 2) & (highest - lowest > 1e-2)
    return float(lower.double().mean())
