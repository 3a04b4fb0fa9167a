"""Known wrong turns of chapter 00: averaging over the wrong axis, or not averaging."""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from .subject import FunctionSubject, Probe
from .switches import NONE, Switches


def sentence_vector(hidden_state: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    x = hidden_state
    if "in_place" in on:
        x.div_(x.shape[1])
        return x.sum(1)
    if "detached" in on:
        x = x.detach()
    axis = 0 if "over_batch" in on else 2 if "over_features" in on else 1
    keep = "axis_kept" in on
    if "over_everything" in on:
        return x.mean()
    if "over_batch_and_tokens" in on:
        return x.mean((0, 1))
    if "first_token" in on:
        return x.select(axis, 0)
    if "last_token" in on:
        return x.select(axis, -1)
    if "maximum" in on:
        return x.amax(axis, keepdim=keep)
    if "minimum" in on:
        return x.amin(axis, keepdim=keep)
    if "median" in on:
        return x.median(axis, keepdim=keep).values
    total = x.sum(axis, keepdim=keep)
    if "summed" in on:
        return total
    count = x.shape[axis]
    if "by_features" in on:
        count = x.shape[2]
    if "by_batch" in on:
        count = x.shape[0]
    if "one_too_few" in on:
        count -= 1
    result = total / count
    if "unit_length" in on:
        result = result / result.norm(dim=-1, keepdim=True)
    return result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Pairwise different sizes, a square one, a single token."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return (
        Probe((draw(2, 5, 3),), gradient=True),
        Probe((draw(4, 3, 7),)),
        Probe((draw(3, 3, 3),), label="all sizes equal"),
        Probe((draw(1, 6, 2),)),
    )


SUBJECTS = (FunctionSubject("sentence_vector", sentence_vector, probes),)
