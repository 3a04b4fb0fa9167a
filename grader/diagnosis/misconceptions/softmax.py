"""The softmax with its wrong turns: which axis, which shift, what it is divided by."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, applied, chosen

Along = Callable[[Tensor, int], Tensor]  # some numbers, and the dimension along which they compete
DIMENSIONS = {"last_dim": -1, "first_dim": 0, "dim_1": 1, "second_last": -2}
INSTEAD: dict[str, Along] = {
    "sigmoid_weights": lambda x, dim: x.sigmoid(),
    "hard": lambda x, dim: torch.zeros_like(x).scatter(dim, x.argmax(dim, keepdim=True), 1.0),
    "no_exponential": lambda x, dim: x / x.sum(dim, keepdim=True),
    "no_softmax": lambda x, dim: x.masked_fill(x.isinf(), 0.0),  # what hides is no weight
}
BEFORE: dict[str, Along] = {
    "negative": lambda x, dim: -x,
    "temperature": lambda x, dim: x / math.sqrt(x.shape[dim]),
}
SHIFTS: dict[str, Along] = {
    "no_shift": lambda x, dim: torch.zeros_like(x),
    "no_shift_to_zero": lambda x, dim: torch.zeros_like(x),
    "no_shift_constant": lambda x, dim: torch.zeros_like(x),
    "global_max": lambda x, dim: x.max(),
    "max_of_last": lambda x, dim: x.amax(-1, keepdim=True),
    "max_of_first": lambda x, dim: x.amax(0, keepdim=True),
    "min_shift": lambda x, dim: x.amin(dim, keepdim=True),
    "mean_shift": lambda x, dim: x.mean(dim, keepdim=True),
    "magnitude_shift": lambda x, dim: x.abs().amax(dim, keepdim=True),
    "added_max": lambda x, dim: -x.amax(dim, keepdim=True),
    # Unlike amax, it needs no values of x again for its gradient.
    "changes_its_input_by_max": lambda x, dim: x.max(dim, keepdim=True).values,
    "axis_lost_twice": lambda x, dim: x.amax(dim),
    "axis_of_max_lost": lambda x, dim: x.amax(dim),
}
EXPONENTIALS: dict[str, Callable[[Tensor], Tensor]] = {
    "base_two": torch.exp2,
    "base_ten": lambda x: torch.pow(10.0, x),
}
TOTALS: dict[str, Along] = {  # of the exponentials
    "not_divided": lambda x, dim: torch.ones(()),
    "softmax_over_everything": lambda x, dim: x.sum(),
    "by_max": lambda x, dim: x.amax(dim, keepdim=True),
    # Without a shift, people keep 0/0 away by a small constant; which one, no row here shows.
    "no_shift_constant": lambda x, dim: x.sum(dim, keepdim=True) + 1e-9,
    "by_mean": lambda x, dim: x.mean(dim, keepdim=True),
    "by_norm": lambda x, dim: x.norm(dim=dim, keepdim=True),
    "plus_one": lambda x, dim: x.sum(dim, keepdim=True) + 1,
    "sum_of_last": lambda x, dim: x.sum(-1, keepdim=True),
    "sum_of_first": lambda x, dim: x.sum(0, keepdim=True),
    "axis_lost": lambda x, dim: x.sum(dim),
    "axis_lost_twice": lambda x, dim: x.sum(dim),
}
AFTER: dict[str, Along] = {
    "log2": lambda x, dim: x.log2(),
    "softmax_twice": lambda x, dim: x.softmax(dim),
    "double": lambda x, dim: x.double(),
    "no_shift_to_zero": lambda x, dim: x.nan_to_num(),
}
_IN_PLACE = {"changes_its_input", "changes_its_input_by_max"}
_OWN = {*BEFORE, *SHIFTS, *EXPONENTIALS, *TOTALS, *_IN_PLACE, "turned_around", "log_softmax"}


def softmax(x: Tensor, dim: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    dim = chosen(DIMENSIONS, on, dim)
    instead = chosen(INSTEAD, on, Tensor.softmax if on.isdisjoint(_OWN) else None)
    result = _written_out(x, dim, on) if instead is None else instead(x, dim)
    return applied(AFTER, on, result, dim)


def _written_out(x: Tensor, dim: int, on: Switches) -> Tensor:
    x = applied(BEFORE, on, x, dim)
    shift = chosen(SHIFTS, on, lambda x, dim: x.amax(dim, keepdim=True))(x, dim)
    shifted = x.sub_(shift) if on & _IN_PLACE else x - shift
    if "turned_around" in on:
        shifted = -shifted
    exponentials = chosen(EXPONENTIALS, on, torch.exp)(shifted)
    if "log_softmax" in on:
        return shifted - exponentials.sum(dim, keepdim=True).log()
    total = chosen(TOTALS, on, lambda x, dim: x.sum(dim, keepdim=True))(exponentials, dim)
    return exponentials / total


def extreme_rows() -> Tensor:
    """Rows far from 0 and from each other: each overflows or vanishes under some wrong shift."""
    rows = [[500.0, 501.0, 499.0], [0.0, 1.0, -1.0], [-500.0, -501.0, -498.0], [120.0, 0.0, -120.0]]
    return torch.tensor([rows, [[-200.0, -201.0, -203.0], [90.0, 0.0, 89.0], rows[1], rows[0]]])


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Every axis, sizes pairwise different, a cube, and rows that only the right shift survives."""
    draw = standard_normal(generator)
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


SUBJECTS = (FunctionSubject("softmax", softmax, probes),)
