"""padding_mask and causal_mask with their wrong turns: polarity, axis, off by one, dtype."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe
from .switches import NONE, Switches, applied, chosen

Step = Callable[[Tensor], Tensor]
KEPT: dict[str, Step] = {
    "inverted": torch.logical_not,
    "mask_of_first_row": lambda keep: keep[:1].expand_as(keep),
    "all_true": torch.ones_like,
}
PLACES: dict[str, Step] = {  # of the query axis
    "no_axis": lambda keep: keep,
    "over_queries": lambda keep: keep.unsqueeze(2),
    "axis_first": lambda keep: keep.unsqueeze(0),
    "four_axes": lambda keep: keep[:, None, None, :],
    "outer": lambda keep: keep.unsqueeze(1) & keep.unsqueeze(2),
    "expanded": lambda keep: keep.unsqueeze(1).expand(-1, keep.shape[1], -1),
    "causal": lambda keep: keep.unsqueeze(1) & causal_mask(keep.shape[1]),
}
CAUSAL: dict[str, Step] = {
    "inverted": torch.logical_not,
    "self_only": lambda keep: torch.eye(len(keep), dtype=torch.bool),
    "all_true": torch.ones_like,
    "flipped": lambda keep: keep.flip(1),
    "batch_axis": lambda keep: keep.unsqueeze(0),
    "four_axes": lambda keep: keep[None, None],
}
FORMS: dict[str, Step] = {
    "floats": Tensor.float,
    "additive": lambda keep: torch.zeros(keep.shape).masked_fill(~keep, -math.inf),
    "additive_finite": lambda keep: (1.0 - keep.float()) * -1e9,
    "additive_lowest": lambda keep: (1.0 - keep.float()) * torch.finfo(torch.float32).min,
}


def padding_mask(attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    keep = applied(KEPT, on, attention_mask.bool())
    placed = chosen(PLACES, on, lambda keep: keep.unsqueeze(1))(keep)
    return _formed(placed, attention_mask.dtype, on)


def causal_mask(seq_len: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    length = seq_len + 1 if "one_longer" in on else seq_len
    ones = torch.ones(length, length, dtype=torch.bool)
    diagonal = chosen({"one_ahead": 1, "self_hidden": -1}, on, 0)
    result = ones.triu(-diagonal) if "upper" in on else ones.tril(diagonal)
    return _formed(applied(CAUSAL, on, result), torch.int64, on)


def _formed(keep: Tensor, given: torch.dtype, on: Switches) -> Tensor:
    if "integers" in on:
        return keep.to(given if given != torch.bool else torch.int64)
    return chosen(FORMS, on, torch.clone)(keep)


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
