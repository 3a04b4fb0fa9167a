"""Known wrong turns of the two masks: polarity, place of the new axis, off by one, dtype."""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from .subject import FunctionSubject, Probe
from .switches import NONE, Switches


def padding_mask(attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    keep = attention_mask.bool()
    if "inverted" in on:
        keep = ~keep
    if "first_row" in on:
        keep = keep[:1].expand_as(keep)
    if "all_true" in on:
        keep = torch.ones_like(keep)
    if "no_axis" in on:
        result = keep
    elif "over_queries" in on:
        result = keep.unsqueeze(2)
    elif "axis_first" in on:
        result = keep.unsqueeze(0)
    elif "four_axes" in on:
        result = keep[:, None, None, :]
    elif "outer" in on:
        result = keep.unsqueeze(1) & keep.unsqueeze(2)
    elif "expanded" in on:
        result = keep.unsqueeze(1).expand(-1, keep.shape[1], -1)
    elif "causal" in on:
        result = keep.unsqueeze(1) & torch.ones(2 * keep.shape[1:], dtype=torch.bool).tril()
    else:
        result = keep.unsqueeze(1)
    return _typed(result, attention_mask.dtype, on)


def causal_mask(seq_len: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    ones = torch.ones(seq_len, seq_len, dtype=torch.bool)
    diagonal = 0
    if "self_hidden" in on:
        diagonal = -1
    if "one_ahead" in on:
        diagonal = 1
    result = ones.tril(diagonal)
    if "upper" in on:
        result = ones.triu(-diagonal)
    if "inverted" in on:
        result = ~result
    if "self_only" in on:
        result = torch.eye(seq_len, dtype=torch.bool)
    if "all_true" in on:
        result = ones
    if "flipped" in on:
        result = result.flip(1)
    if "batch_axis" in on:
        result = result.unsqueeze(0)
    if "four_axes" in on:
        result = result[None, None]
    if "one_longer" in on:
        result = causal_mask(seq_len + 1, on - {"one_longer"})
    return _typed(result, torch.int64, on)


def _typed(keep: Tensor, given: torch.dtype, on: Switches) -> Tensor:
    if "integers" in on:
        return keep.to(given if given != torch.bool else torch.int64)
    if "floats" in on:
        return keep.float()
    if "additive" in on:
        return torch.zeros(keep.shape).masked_fill(~keep, float("-inf"))
    if "additive_finite" in on:
        return (1.0 - keep.float()) * -1e9
    if "additive_lowest" in on:
        return (1.0 - keep.float()) * torch.finfo(torch.float32).min
    return keep


def padding_probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, a square one; the first row is padded."""
    bits = torch.randint(0, 2, (3, 5), generator=generator)
    bits[:, 0] = 1
    bits[0, -1] = 0
    bits[1, -1] = 1
    return (
        Probe((torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]]),)),
        Probe((bits,)),
        Probe((bits.bool(),), label="a bool mask"),
        Probe((torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0]]),), label="as many rows as tokens"),
        Probe((torch.ones(4, 2, dtype=torch.int64),), label="nothing is padded"),
    )


def causal_probes(generator: Generator) -> tuple[Probe, ...]:
    """A few lengths, 1 among them."""
    return tuple(Probe((length,)) for length in (4, 1, 7, 2))


SUBJECTS = (
    FunctionSubject("padding_mask", padding_mask, padding_probes),
    FunctionSubject("causal_mask", causal_mask, causal_probes),
)
