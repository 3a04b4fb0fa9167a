"""A learner's parameters as they are registered, and the values that they are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ...candidate.candidate import CandidateModule
from .used_parts import Values

_MASK_VALUES = 2


@dataclass(frozen=True)
class Param:
    """One parameter: its name, its shape without axes of size 1, and whether it does anything."""

    name: str
    shape: tuple[int, ...]
    unused: bool = False  # no result of the module depends on it


def parameters_of(module: CandidateModule, fresh: Values) -> list[Param]:
    """All different parameters of a module as registered; those it holds loosely come last."""
    found: list[Param] = []
    infos = [
        (p.name, p.shape)
        for p in module.parameters
        if p.alias_of is None and (p.requires_grad or not _is_constant(fresh.get(p.name)))
    ]
    infos += [(p.path, p.shape) for p in module.loose if p.kind == "parameter"]
    for name, shape in infos:
        value = fresh.get(name)
        if value is None or not _is_readable(value):
            continue  # it can play no role
        found.append(Param(name, tuple(size for size in shape if size != 1)))
    return found


def _is_readable(value: Tensor) -> bool:
    """Whether there are real numbers in it with which PyTorch can calculate."""
    return value.numel() > 0 and value.is_floating_point() and value.element_size() > 1


def _is_constant(frozen: Tensor | None) -> bool:
    """Whether a parameter that does not learn is there instead of a buffer: a number, or a mask.

    A table or weight that should learn is a mistake, which is found by its missing gradient.
    """
    if frozen is None or frozen.numel() == 1 or not _is_readable(frozen):
        return True
    return frozen.dim() > 1 and frozen.unique().numel() <= _MASK_VALUES


def randomised(
    params: Sequence[Param], fresh: Values, generator: torch.Generator
) -> dict[str, Tensor]:
    """Values that hide nothing: activations near 1, scores apart, odd scales and shifts."""
    values = {}
    for param in params:
        shape = fresh[param.name].shape
        noise = torch.randn(shape, generator=generator)
        if len(param.shape) < 2:
            values[param.name] = noise * 0.5 + 0.3
        elif len(param.shape) == 2 and min(param.shape) < 30 and max(param.shape) < 30:
            values[param.name] = noise * (1.3 / max(param.shape) ** 0.5)
        else:
            values[param.name] = noise * (1.3 / min(35, max(param.shape)) ** 0.5)
    return values
