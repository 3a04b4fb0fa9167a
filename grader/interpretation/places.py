"""Finds where the numbers of each role live among a candidate's parameters; runs none of it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .layouts import evaluate
from .parameters import Values
from .search import Interpretation

Place = tuple[Any, ...]  # the way to a role: ("layers", 0, "attention", "o_w")
Places = dict[Place, tuple[str, Tensor]]


def places_of(right: Interpretation, values: Values) -> Places:
    """Where each role's numbers live: the parameter's name, and indexes into it, flattened."""
    starts: dict[str, int] = {}
    marked: dict[str, Tensor] = {}
    total = 0
    for name, value in values.items():  # every number of every parameter gets a number of its own
        starts[name] = total
        marked[name] = torch.arange(float(total), float(total + value.numel())).view(value.shape)
        total += value.numel()
    found: Places = {}

    def walk(roles: Any, place: Place) -> None:
        if isinstance(roles, Tensor):
            indexes = roles.long()
            first = int(indexes.min())
            name = max((n for n in starts if starts[n] <= first), key=lambda n: starts[n])
            found[place] = (name, indexes - starts[name])
        else:
            pairs = roles.items() if isinstance(roles, dict) else enumerate(roles)
            for key, part in pairs:
                walk(part, (*place, key))

    walk(evaluate(right.parts, marked), ())
    return found


def assign(values: Values, names: Places, place: Place, number: float) -> None:
    """Give every number of one role that value, where the role has parameters."""
    if place in names:
        name, flat = names[place]
        values[name].view(-1)[flat.flatten()] = number
