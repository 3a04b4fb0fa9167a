"""Asks whether names of mistakes in code, which no edit belongs to, are true of a module."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .inputs import module_arguments, module_inputs

_TRIES = 20


def untrue(exercise: str, made: Any, names: Sequence[str]) -> str:
    """What speaks against a name; "" where nothing does, or where nothing here could."""
    for name, holds, promise in (
        ("forward_missing", _has_no_forward, "its class has a forward"),
        ("dropout_in_eval", _draws, "in evaluation its answers do not depend on chance"),
        ("changes_its_input", _writes, "what it is given stays as it is"),
    ):
        if name in names and not holds(exercise, made):
            return f"{name}: {promise}"
    return ""


def _has_no_forward(exercise: str, made: Any) -> bool:
    return made.forward is nn.Module.forward


def _draws(exercise: str, made: Any) -> bool:
    """Whether seeds decide what comes out, call after call."""
    draw = random.Random(exercise)
    arguments = module_arguments(exercise, draw)
    args = module_inputs(exercise, arguments, draw)
    try:
        module = made(*arguments).eval()
        one, other, again = (_answer(module, args, seed) for seed in (1, 2, 1))
    except Exception:  # another mistake
        return False
    return torch.equal(one, again) and not torch.equal(one, other)


def _writes(exercise: str, made: Any) -> bool:
    """Whether some call leaves an argument changed."""
    for seed in range(_TRIES):
        draw = random.Random(f"{exercise} {seed}")
        arguments = module_arguments(exercise, draw)
        args = module_inputs(exercise, arguments, draw)
        given = copy.deepcopy(args)
        try:
            _answer(made(*arguments).eval(), given, seed)
        except Exception:  # another mistake beside it
            continue
        if any(_changed(one, other) for one, other in zip(args, given, strict=True)):
            return True
    return False


def _changed(one: Any, other: Any) -> bool:
    return isinstance(one, Tensor) and not (one.shape == other.shape and torch.equal(one, other))


def _answer(module: nn.Module, args: tuple[Any, ...], seed: int) -> Tensor:
    torch.default_generator.manual_seed(seed)
    with torch.no_grad():
        value: Tensor = module(*args)
    return value
