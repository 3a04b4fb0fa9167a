"""Known wrong turns of the softmax: which axis, which shift, what it is divided by."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches
from .softmax_words import NAMED, SHIFT

NONE: Switches = frozenset()
# Without a shift, people keep 0/0 away by a small constant; which one, no row here shows.
CONSTANTS = {"no_shift_constant": 1e-9}


def softmax(x: Tensor, dim: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    for name, fixed in (("last_dim", -1), ("first_dim", 0), ("dim_1", 1), ("second_last", -2)):
        if name in on:
            dim = fixed
    if "detached" in on:
        x = x.detach()
    if "sigmoid" in on:
        return x.sigmoid()
    if "hard" in on:
        return torch.zeros_like(x).scatter(dim, x.argmax(dim, keepdim=True), 1.0)
    if "no_exponential" in on:
        return x / x.sum(dim, keepdim=True)
    if "negative" in on:
        x = -x
    if "temperature" in on:
        x = x / math.sqrt(x.shape[dim])
    shift = _shift(x, dim, on)
    shifted = x.sub_(shift) if on & {"in_place", "in_place_by_max"} else x - shift
    if "turned_around" in on:
        shifted = -shifted
    exponentials = _exponentials(shifted, on)
    result = exponentials / _total(exponentials, dim, on)
    if "log" in on:
        result = shifted - exponentials.sum(dim, keepdim=True).log()
    if "log2" in on:
        result = result.log2()
    if "twice" in on:
        result = softmax(result, dim, NONE)
    if "double" in on:
        result = result.double()
    return result.nan_to_num() if "no_shift_to_zero" in on else result


def _shift(x: Tensor, dim: int, on: Switches) -> Tensor:
    if on & {"no_shift", "no_shift_to_zero"} or on & CONSTANTS.keys():
        return torch.zeros_like(x)
    if "global_max" in on:
        return x.max()
    if "max_of_last" in on:
        return x.amax(-1, keepdim=True)
    if "max_of_first" in on:
        return x.amax(0, keepdim=True)
    if "min_shift" in on:
        return x.amin(dim, keepdim=True)
    if "mean_shift" in on:
        return x.mean(dim, keepdim=True)
    if "magnitude_shift" in on:
        return x.abs().amax(dim, keepdim=True)
    if "added_max" in on:
        return -x.amax(dim, keepdim=True)
    if "in_place_by_max" in on:  # unlike amax, it needs no values of x again for its gradient
        return x.max(dim, keepdim=True).values
    if on & {"axis_lost_twice", "axis_of_max_lost"}:
        return x.amax(dim)
    return x.amax(dim, keepdim=True)


def _exponentials(shifted: Tensor, on: Switches) -> Tensor:
    if "base_two" in on:
        return torch.exp2(shifted)
    if "base_ten" in on:
        return torch.pow(10.0, shifted)
    return shifted.exp()


def _total(exponentials: Tensor, dim: int, on: Switches) -> Tensor:
    if "not_divided" in on:
        return torch.ones(())
    if "over_everything" in on:
        return exponentials.sum()
    if "by_max" in on:
        return exponentials.amax(dim, keepdim=True)
    for name, constant in CONSTANTS.items():
        if name in on:
            return exponentials.sum(dim, keepdim=True) + constant
    if "by_mean" in on:
        return exponentials.mean(dim, keepdim=True)
    if "by_norm" in on:
        return exponentials.norm(dim=dim, keepdim=True)
    if "plus_one" in on:
        return exponentials.sum(dim, keepdim=True) + 1
    if "sum_of_last" in on:
        return exponentials.sum(-1, keepdim=True)
    if "sum_of_first" in on:
        return exponentials.sum(0, keepdim=True)
    if on & {"axis_lost", "axis_lost_twice"}:
        return exponentials.sum(dim)
    return exponentials.sum(dim, keepdim=True)


def extreme_rows() -> Tensor:
    """Rows far from 0 and from each other: each overflows or vanishes under some wrong shift."""
    rows = [[500.0, 501.0, 499.0], [0.0, 1.0, -1.0], [-500.0, -501.0, -498.0], [120.0, 0.0, -120.0]]
    return torch.tensor([rows, [[-200.0, -201.0, -203.0], [90.0, 0.0, 89.0], rows[1], rows[0]]])


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Every axis, sizes pairwise different, a cube, and rows that only the right shift survives."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    cube = draw(3, 3, 3)
    return (
        Probe((draw(2, 3, 5), -1), label="the last dimension", gradient=True),
        Probe((draw(2, 3, 5), 1), label="a middle dimension"),
        Probe((draw(4, 2, 3), 0), label="the first dimension"),
        Probe((cube, 2)),
        Probe((cube, 0)),
        Probe((cube, -2)),
        Probe((draw(3, 4), 0), label="two dimensions"),
        Probe((draw(6), 0), label="one dimension only"),
        Probe((extreme_rows(), -1), label="large numbers"),
        Probe((extreme_rows().transpose(1, 2).contiguous(), 1), label="large numbers, dim 1"),
    )


MISCONCEPTIONS = (
    NAMED
    + tuple(
        Misconception(
            name,
            "There is no max subtraction: nothing is shifted before exp, which overflows above "
            "about 88; the small constant in the denominator does not help against that, and rows "
            "of large negative numbers vanish.",
            SHIFT,
        )
        for name in CONSTANTS
    )
    + (
        Misconception(
            "no_shift_to_zero",
            "There is no max subtraction: nothing is shifted before exp, which overflows above "
            "about 88. The nan that comes of it is made 0, so such rows lose their weight instead.",
            SHIFT,
        ),
    )
)

SUBJECTS = (FunctionSubject("softmax", softmax, probes, MISCONCEPTIONS),)
