"""Watches the dropout of post-norm layers, each of their parts silenced in turn; judges no value.

A part that gives ones for every token goes through its dropout, is added to nothing and normalised:
what was zeroed is then the lower of two levels, whatever the norm made of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ..misconceptions.catalogue import Misconception
from ..misconceptions.observed import DROPOUT_PLACE, DROPOUT_RATE, NO_DROPOUT
from .evidence import Evidence
from .places import Place, Places

_OUT = ("attention", "o_w"), ("attention", "o_b")
_VALUE = ("attention", "v_w"), ("attention", "v_b")
_CONTRACT = ("contract", "w"), ("contract", "b")
_TOKENS = 400
Levels = dict[Place, float]  # what the numbers of some roles become


def post_norm_dropout(evidence: Evidence, names: Places, rate: float) -> Misconception | None:
    """How a post-norm layer's dropout is wrong; None where it is right."""
    hidden = evidence.probes[0].args[0].shape[-1]
    tokens = torch.randn(_TOKENS, 1, hidden, generator=torch.Generator().manual_seed(11))
    try:
        drawn = _run(evidence, names, _silent(names), tokens)
        calm = _run(evidence, names, {}, tokens, train=False)
        if drawn is None or calm is None or not torch.allclose(drawn, calm, atol=1e-4):
            return DROPOUT_PLACE  # what is added to is dropped too
        for partition in _sites(names):
            zeros = torch.zeros_like(tokens)
            given = (
                zeros if partition.ones == _CONTRACT[1] or partition.ones in names else zeros + 1.0
            )
            turn = _seen(_run(evidence, names, {**_silent(names), **partition.levels}, given), rate)
            if turn is not None:
                return turn
    finally:
        evidence.module.write(evidence.values)
    return None


def drops_residual(evidence: Evidence) -> bool:
    """Whether a pre-norm layer in training drops what it adds to: then some of its answer is 0."""
    args = [torch.cat([part] * 8) for part in evidence.probes[0].args]
    calm, drawn = (
        evidence.module.run(*args, train=train, seed=11).value for train in (False, True)
    )
    if not (isinstance(calm, Tensor) and isinstance(drawn, Tensor)):
        return False
    return bool((drawn == 0).any()) and not bool((calm == 0).any())


def stack_dropout(evidence: Evidence, names: Places, rate: float) -> Misconception | None:
    """How the dropout in the layers of a post-norm stack is wrong; None where it is right.

    With an embeddings' norm of zeros and all other layers silent, each layer is watched by itself.
    Layers with no dropout at all are let pass: the stack's own docstring does not speak of it.
    """
    ids = torch.ones(_TOKENS, 1, dtype=torch.long)
    ends: Levels = {("norm", "w"): 0.0, ("norm", "b"): 0.0}
    turns = []
    try:
        for layer in [place[:2] for place in names.numbers if place[2:] == _OUT[0]]:
            for partition in _sites(names, layer):
                if partition.ones in names:  # without a bias, what enters would have to be ones
                    levels = {**_silent(names), **ends, **partition.levels}
                    turns.append(_seen(_run(evidence, names, levels, ids), rate))
    finally:
        evidence.module.write(evidence.values)
    if all(turn is NO_DROPOUT for turn in turns):
        return None
    return next((turn for turn in turns if turn is not None), None)


@dataclass(frozen=True)
class _Site:
    """One dropout: what to set so that it gets ones."""

    ones: Place
    levels: Levels


def _sites(names: Places, layer: Place = ()) -> tuple[_Site, _Site]:
    first, second = (*layer, *_OUT[1]), (*layer, *_CONTRACT[1])
    levels: Levels = {first: 1.0}
    if first not in names:  # without a bias it is a token of ones that becomes equal ones
        levels = {(*layer, *_OUT[0]): 1.0, (*layer, *_VALUE[0]): 1.0, (*layer, *_VALUE[1]): 0.0}
    after: Levels = {second: 1.0, (*layer, "norm1", "w"): 0.0}
    return _Site(first, levels), _Site(second, after)


def _silent(names: Places) -> Levels:
    """No layer adds anything, and norms only normalise."""
    levels: Levels = {}
    for place in names.numbers:
        if place[-2:] in (*_OUT, *_CONTRACT):
            levels[place] = 0.0
        elif str(place[-2]).startswith("norm"):
            levels[place] = float(place[-1] == "w")
    return levels


def _seen(drawn: Tensor | None, rate: float) -> Misconception | None:
    """What is wrong with the share of ones that were dropped; None where it is right."""
    if drawn is None:
        return DROPOUT_PLACE
    share = _share_of_lower(drawn)
    if share == 0:
        return NO_DROPOUT
    spread = 6 * (rate * (1 - rate) / drawn.numel()) ** 0.5
    # The attention, or the feed-forward network, may end with a dropout of its own.
    wanted = [1 - (1 - rate) ** times for times in (1, 2)]
    return None if any(abs(share - one) <= spread for one in wanted) else DROPOUT_RATE


def _run(
    evidence: Evidence,
    names: Places,
    numbers: Levels,
    tokens: Tensor,
    train: bool = True,
) -> Tensor | None:
    """The answer [tokens, 1, hidden] with some roles set; with none set, as they were."""
    if numbers:
        values = {name: value.clone() for name, value in evidence.values.items()}
        for place, number in numbers.items():
            names.assign(values, place, number)
        evidence.module.write(values)
    value = evidence.module.run(tokens, train=train, seed=11).value
    right = isinstance(value, Tensor) and value.dim() == 3 and value.shape[:2] == (_TOKENS, 1)
    return value if right else None


def _share_of_lower(drawn: Tensor) -> float:
    """The share of numbers at the lower level of their token, where there are two."""
    lowest, highest = drawn.amin(-1, keepdim=True), drawn.amax(-1, keepdim=True)
    lower = (drawn < (lowest + highest) / 2) & (highest - lowest > 1e-2)
    return float(lower.double().mean())
