"""Known wrong turns of the softmax: which axis, which shift, what it is divided by."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor

from .subject import FunctionSubject, Misconception, Probe, Switches

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
    shifted = x.sub_(shift) if "in_place" in on else x - shift
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
    return result


def _shift(x: Tensor, dim: int, on: Switches) -> Tensor:
    if "no_shift" in on or on & CONSTANTS.keys():
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
    if "axis_lost" in on:
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


_DIM = "Which argument of your function says along which dimension the entries compete?"
_SHIFT = "Which number, subtracted from a whole row, makes its largest exponential exactly 1?"
_NAMED = (
    Misconception(
        "no_shift",
        "There is no max subtraction: nothing is shifted before exp. Right for small numbers, but "
        "exp overflows to inf above about 88, and the result is nan.",
        _SHIFT,
    ),
    Misconception(
        "last_dim",
        "It always works along the last dimension, whatever dim says.",
        _DIM,
    ),
    Misconception("first_dim", "It always works along dimension 0, whatever dim says.", _DIM),
    Misconception("dim_1", "It always works along dimension 1, whatever dim says.", _DIM),
    Misconception(
        "second_last", "It always works along the second last dimension, whatever dim says.", _DIM
    ),
    Misconception(
        "log",
        "It returns log-probabilities, the logarithm of the softmax: no weight is positive and "
        "they do not sum to 1.",
        "What do the entries of your result sum to, and what sign do they have?",
    ),
    Misconception(
        "global_max",
        "The maximum of the whole tensor is subtracted from every row: a row far below the largest "
        "one vanishes, and 0/0 gives nan.",
        "What is exp of a row of zeros after 500 has been subtracted from it?",
    ),
    Misconception(
        "max_of_last",
        "The maximum is taken along the last dimension, even where another one is asked for: what "
        "competes is shifted by different amounts and the weights are off.",
        "Must all entries that compete be shifted by the same number?",
    ),
    Misconception(
        "max_of_first",
        "The maximum is taken along dimension 0, even where another one is asked for: what "
        "competes is shifted by different amounts and the weights are off.",
        "Must all entries that compete be shifted by the same number?",
    ),
    Misconception(
        "over_everything",
        "It divides by the sum of all exponentials: the whole tensor sums to 1 instead of each "
        "row.",
        "What should the weights of one row sum to, whatever stands in the other rows?",
    ),
    Misconception(
        "axis_lost",
        "The summed dimension is dropped (no keepdim), so the sums are spread along the wrong "
        "axis, or do not fit at all.",
        "What shape does the sum have, and what shape would divide every row by its own sum?",
    ),
    Misconception(
        "sum_of_last",
        "The sum is taken along the last dimension, even where another one is asked for.",
        _DIM,
    ),
    Misconception(
        "sum_of_first",
        "The sum is taken along dimension 0, even where another one is asked for.",
        _DIM,
    ),
    Misconception(
        "not_divided",
        "Nothing is divided: these are the exponentials, and they do not sum to 1.",
        "What makes positive numbers sum to 1?",
        same_as=("by_max",),
    ),
    Misconception(
        "by_max",
        "It divides by the largest exponential instead of by their sum: the largest weight is "
        "always 1.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "by_mean",
        "It divides by the mean of the exponentials instead of their sum, so a row sums to its "
        "length.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "by_norm",
        "It divides by the Euclidean length of the exponentials: their squares sum to 1, not they "
        "themselves.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "plus_one",
        "A 1 is added to the sum of exponentials, so every row sums to less than 1.",
        "What should the weights of one row sum to?",
    ),
    Misconception(
        "min_shift",
        "The minimum is subtracted instead of the maximum: what is far above it still overflows.",
        _SHIFT,
    ),
    Misconception(
        "mean_shift",
        "The mean is subtracted instead of the maximum: what is far above it still overflows.",
        _SHIFT,
    ),
    Misconception(
        "magnitude_shift",
        "The largest absolute value is subtracted instead of the maximum: in a row of large "
        "negative numbers everything vanishes and 0/0 gives nan.",
        "What is left of the row −500, −501 after your shift?",
    ),
    Misconception(
        "added_max",
        "The maximum is added instead of subtracted, which doubles the trouble with large numbers.",
        _SHIFT,
    ),
    Misconception(
        "twice",
        "The softmax is applied twice: the second one flattens the weights almost to equality.",
        "How large can the entries be that go into your last exp?",
    ),
    Misconception(
        "sigmoid",
        "It is a sigmoid: every entry is squashed by itself and nobody competes with anybody.",
        "If one entry grows, must the weights of the others shrink?",
    ),
    Misconception(
        "no_exponential",
        "The numbers themselves are divided by their sum, without exp: weights can be negative, "
        "and the sum can be 0.",
        "What makes every weight positive, whatever its number was?",
    ),
    Misconception(
        "base_two",
        "The powers are those of 2 instead of e: the weights are too even.",
        "By which factor should the weight grow when a number grows by 1?",
    ),
    Misconception(
        "base_ten",
        "The powers are those of 10 instead of e: the weights are too sharp.",
        "By which factor should the weight grow when a number grows by 1?",
    ),
    Misconception(
        "negative",
        "The sign is turned around: the smallest number gets the largest weight.",
        "Which entry of the row 0, 1, 5 should win?",
    ),
    Misconception(
        "hard",
        "It returns 1 for the largest entry and 0 for the others: an argmax, through which no "
        "gradient flows.",
        "What share should the second largest entry get?",
    ),
    Misconception(
        "temperature",
        "The numbers are divided by the root of their count first: a scale that does not belong "
        "here.",
        "What should the ratio of two weights be whose numbers differ by 1?",
    ),
    Misconception(
        "log2",
        "It returns the logarithm, to base 2, of the weights.",
        "What do the entries of your result sum to, and what sign do they have?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, while the input is float32.",
        "Which of your operations widens the dtype?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the input is overwritten on the way: the scores of the caller "
        "are changed.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the input: numbers were taken out of the "
        "graph (.item(), .detach(), numpy) and put back.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

MISCONCEPTIONS = _NAMED + tuple(
    Misconception(
        name,
        "There is no max subtraction: nothing is shifted before exp, which overflows above about "
        "88; the small constant in the denominator does not help against that, and rows of large "
        "negative numbers vanish.",
        _SHIFT,
    )
    for name in CONSTANTS
)

SUBJECTS = (FunctionSubject("softmax", softmax, probes, MISCONCEPTIONS),)
