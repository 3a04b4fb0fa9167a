"""Asks the reference with many readings of parameters at once; what fits is for others to judge.

One pass through the mathematics costs the same for a dozen readings as for a few, as its tensors
are small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.func import vmap

from ..misconceptions.function_subject import Probe
from .module_subject import ModuleSubject, Switches

_WIDER = 2.0  # than the tolerance: what is close is looked at again, by itself
Batch = tuple[list[int], Any]  # places of readings, and their roles one upon another


def batches(many: Sequence[Any]) -> list[Batch]:
    """Roles of the same shapes together: one tensor for each role of all of them."""
    alike: dict[Any, list[int]] = {}
    for place, roles in enumerate(many):
        alike.setdefault(_shapes(roles), []).append(place)
    return [(places, _stacked([many[place] for place in places])) for places in alike.values()]


def promising(
    subject: ModuleSubject,
    found: Sequence[Batch],
    pairs: Sequence[tuple[Probe, Tensor]],
    on: Switches,
) -> set[int]:
    """The places of readings that may give these answers with these switches; few do not."""
    left: set[int] = set()
    for places, roles in found:
        fitting = torch.ones(len(places), dtype=torch.bool)
        for probe, answer in pairs:
            fitting &= _fitting(subject, roles, probe, answer, on, len(places))
            if not bool(fitting.any()):
                break
        left |= {place for place, fits in zip(places, fitting.tolist(), strict=True) if fits}
    return left


def _fitting(
    subject: ModuleSubject, roles: Any, probe: Probe, answer: Tensor, on: Switches, count: int
) -> Tensor:
    def run(one: Any) -> Tensor:
        return subject.focused(subject.run(one, *probe.args, on=on, **probe.kwargs), probe)

    try:
        with torch.no_grad():
            expected = vmap(run)(roles) if count > 1 else run(_first(roles)).unsqueeze(0)
    except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
        return torch.full((count,), fill_value=count > 1)  # they may differ in what they can do
    got = subject.focused(answer, probe)
    if got.shape != expected.shape[1:]:
        return torch.zeros(count, dtype=torch.bool)
    if not got.is_floating_point():
        return (expected == got).flatten(1).all(1)
    same = (expected == got) | (expected.isnan() & got.isnan())
    apart = (expected - got).abs().masked_fill(same, 0.0).flatten(1).amax(1)
    scale = expected.nan_to_num(0.0, 0.0, 0.0).abs().flatten(1).amax(1).clamp(min=1.0)
    fits: Tensor = apart <= _WIDER * subject.tolerance * scale
    return fits


def _shapes(roles: Any) -> Any:
    if isinstance(roles, Tensor):
        return tuple(roles.shape)
    if isinstance(roles, dict):
        return tuple((name, _shapes(part)) for name, part in sorted(roles.items()))
    return tuple(map(_shapes, roles))


def _stacked(many: Sequence[Any]) -> Any:
    if isinstance(many[0], Tensor):
        return torch.stack(list(many))
    if isinstance(many[0], dict):
        return {name: _stacked([roles[name] for roles in many]) for name in many[0]}
    return [_stacked(parts) for parts in zip(*many, strict=True)]


def _first(roles: Any) -> Any:
    if isinstance(roles, Tensor):
        return roles[0]
    if isinstance(roles, dict):
        return {name: _first(part) for name, part in roles.items()}
    return [_first(part) for part in roles]
