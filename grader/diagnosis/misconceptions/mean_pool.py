"""mean_pool with its wrong turns: which tokens count, and what the sum is divided by."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, applied, chosen

# From the sum of what is kept, how many that is, and all of it.
DIVISIONS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "summed": lambda total, count, kept: total,
    "by_length": lambda total, count, kept: total / kept.shape[1],
    "by_batch_count": lambda total, count, kept: total / count.sum(),
    "by_root": lambda total, count, kept: total / count.sqrt(),
    "plus_one": lambda total, count, kept: total / (count + 1),
}
MASKS: dict[str, Callable[[Tensor], Tensor]] = {
    "inverted": torch.logical_not,
    "ignored": torch.ones_like,
    "mask_of_first_row": lambda mask: mask[:1].expand_as(mask),
    "without_first": lambda mask: mask & (torch.arange(mask.shape[1]) > 0),
    "first_ones": lambda mask: torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True),
}
INSTEAD: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "first_token": lambda x, mask: x[:, 0],
    "maximum": lambda x, mask: x.masked_fill(~mask.unsqueeze(-1), -math.inf).amax(1),
    "maximum_of_all": lambda x, mask: x.amax(1),
}


def mean_pool(hidden_state: Tensor, attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    mask = applied(MASKS, on, attention_mask.bool())
    instead = chosen(INSTEAD, on, None)
    if instead is not None:
        return instead(hidden_state, mask)
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
    if on & {"over_features", "no_axis"}:
        count = mask.sum(1, keepdim=True).to(total.dtype)
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
