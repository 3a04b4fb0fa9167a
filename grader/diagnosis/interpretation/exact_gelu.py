"""Tells the exact GELU from its approximation by a tanh, where the two lie farthest apart.

On ordinary values they differ by less than what right formulations of a whole stack may. At −2.7
they differ by 5 % of what is left there, which the second linear map makes visible.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ...candidate.candidate import CandidateError
from .evidence import Evidence, near
from .layouts import evaluate
from .module_subject import ModuleSubject, Switches
from .places import Place, Places, places_of

_FARTHEST = -2.7
_TOLERANCE = 2e-4  # right code stays within a quarter of it; a tanh is far outside
_ORDERS = 4
_NARROW, _WIDE = 0.1, 50.0  # what becomes of the first and the second linear map


def activation_fits(
    subject: ModuleSubject, evidence: Evidence, parts: Any, on: Switches = frozenset()
) -> bool:
    """Whether a reading also fits with every feed-forward network's hidden features near −2.7.

    True where there is no such network, or where it cannot be asked.
    """
    try:
        values = _at_the_farthest(places_of(parts, evidence.values), evidence.values)
    except (RuntimeError, IndexError, KeyError, ValueError):
        return True
    if values is None:
        return True
    # Its tokens in several orders: logits of a few sentences may be alike by chance.
    args = [
        torch.cat([part.roll(k, 1) for k in range(_ORDERS)]) for part in evidence.probes[0].args
    ]
    try:
        with evidence.holding(values):
            got = evidence.module.run(*args).value
    except CandidateError:
        return True
    with torch.no_grad():
        expected = subject.run(evaluate(parts, values), *args, on=on)
    return isinstance(got, Tensor) and near(got, expected, _TOLERANCE)


def _at_the_farthest(places: Places, values: dict[str, Tensor]) -> dict[str, Tensor] | None:
    """Values that bring hidden features there; None where there is no feed-forward network."""
    firsts, shifts, seconds = (
        [place for place in places.numbers if place[-2:] == tail]
        for tail in (("expand", "w"), ("expand", "b"), ("contract", "w"))
    )
    if not (firsts and shifts and seconds):
        return None
    changed = {name: value.clone() for name, value in values.items()}
    _multiply(places, changed, firsts, _NARROW)
    _multiply(places, changed, seconds, _WIDE)
    for place in shifts:
        places.assign(changed, place, _FARTHEST)
    return changed


def _multiply(places: Places, values: dict[str, Tensor], roles: list[Place], factor: float) -> None:
    """Multiply each number of some roles once, also where several roles share it."""
    places.multiply_at(
        values, torch.cat([places.numbers[role].flatten() for role in roles]), factor
    )
