"""mean_pool with its wrong turns: which tokens count, and what the sum is divided by."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, chosen

# From the sum of what is kept, how many that is, and all of it.
DIVISIONS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "summed": lambda total, count, kept: total,
    "by_length": lambda total, count, kept: total / kept.shape[1],
    "by_batch_count": lambda total, count, kept: total / count.sum(),
    "by_root": lambda total, count, kept: total / count.sqrt(),
    "plus_one": lambda total, count, kept: total / (count + 1),
}


def mean_pool(hidden_state: Tensor, attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "gradient_stopped" in on:
        hidden_state = hidden_state.detach()
    mask = attention_mask.bool()
    if "inverted" in on:
        mask = ~mask
    if "ignored" in on:
        mask = torch.ones_like(mask)
    if "mask_of_first_row" in on:
        mask = mask[:1].expand_as(mask)
    if "without_first" in on:
        mask = mask.clone()
        mask[:, 0] = False
    if "first_ones" in on:
        mask = torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True)
    if "first_token" in on:
        return hidden_state[:, 0]
    if "maximum" in on:
        return hidden_state.masked_fill(~mask.unsqueeze(-1), -math.inf).amax(1)
    if "maximum_of_all" in on:
        return hidden_state.amax(1)
    real = mask.to(hidden_state.dtype)
    real = real if "no_axis" in on else real.unsqueeze(-1)
    if "changes_its_input" in on:
        hidden_state.mul_(real)
    kept = hidden_state * real
    axis = 2 if "over_features" in on else 1
    total, count = kept.sum(axis), real.sum(1)
    if "no_axis_at_all" in on:
        return (hidden_state * mask.to(hidden_state.dtype)).sum(1) / mask.sum(1)
    if "zeros_left_out" in on:
        count = (kept != 0).sum(1).clamp(min=1).to(total.dtype)
    if "over_features" in on or "no_axis" in on:
        count = mask.sum(1, keepdim=True).to(total.dtype)
    return _divided(total, count, kept, on)


def _divided(total: Tensor, count: Tensor, kept: Tensor, on: Switches) -> Tensor:
    result = chosen(DIVISIONS, on, lambda total, count, kept: total / count)(total, count, kept)
    if "unit_length" in on:
        result = result / result.norm(dim=-1, keepdim=True)
    return result.unsqueeze(1) if "axis_kept" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, sizes pairwise different and coinciding."""
    draw = standard_normal(generator)
    mask = torch.tensor([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]])
    square = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]])
    three = torch.tensor([[1, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0]])
    holes = torch.tensor([[0, 0, 1, 1], [1, 0, 1, 0], [1, 1, 1, 0]])
    zeros = draw(3, 4, 5)
    zeros[1, 2, 3] = zeros[2, 0, 1] = 0.0
    return (
        Probe((draw(2, 5, 3), mask), gradient=True),
        Probe((draw(3, 4, 6), three)),
        Probe((draw(3, 4, 6), three.bool()), label="a bool mask"),
        Probe((draw(3, 4, 4), three), label="as many features as tokens"),
        Probe((draw(4, 4, 4), square), label="all sizes equal"),
        Probe((draw(1, 4, 4), square[:1]), label="one sentence, as many features as tokens"),
        Probe((draw(3, 4, 5), holes), label="padding on the left and in between"),
        Probe((zeros, three), label="zeros in real tokens"),
        Probe((draw(2, 3, 7), torch.ones(2, 3, dtype=torch.int64)), label="nothing is padded"),
    )


SUBJECTS = (FunctionSubject("mean_pool", mean_pool, probes),)
