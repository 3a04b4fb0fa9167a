"""Known wrong turns of masking: polarity, axis, finite fills, before or after the softmax."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches
from .masked_softmax_words import (
    AMBIGUOUS,
    BOOL_MINUS,
    INTEGER_MASK,
    MASK_PART,
    OWN_PART,
    SOFTMAX_PART,
)
from .softmax import softmax

NONE: Switches = frozenset()
FILLS = {
    "fill_zero": 0.0,
    "fill_minus_one": -1.0,
    "fill_10": -10.0,
    "fill_100": -100.0,
    "fill_1e3": -1e3,
    "fill_1e4": -1e4,
    "inverted_finite": -1e9,
    "integers_alike": -1e9,
    "fill_plus": 1e9,
    "fill_plus_inf": math.inf,
}
# Without a shift, people keep 0/0 away by a small constant; which one, shows in very low rows.
CONSTANTS = {"no_shift_times_mask": 0.0} | {
    f"no_shift_1e_{n}": 10.0**-n for n in (5, 6, 7, 8, 9, 12)
}
ADDED = {"added_10": -10.0, "added_one": 1.0}
# The logarithm of the mask, kept from −inf by a small constant: hidden keys lose that much.
LOGS = {f"log_of_mask_1e_{n}": 10.0**-n for n in (4, 5, 6, 7, 8, 9)}


def masked_softmax(scores: Tensor, mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        scores = scores.detach()
    keep = kept(mask, scores, on)
    dim = 1 if "over_queries" in on else 0 if "over_batch" in on else -1
    inner = on & {"no_shift", "global_max", "over_everything", "twice", "log", "by_max"}
    for constant, number in CONSTANTS.items():
        if constant in on:
            exponentials = scores.exp() * keep
            return exponentials / (exponentials.sum(dim, keepdim=True) + number)
        if f"{constant}_filled" in on:
            exponentials = hidden(scores, keep, on).exp()
            return exponentials / (exponentials.sum(dim, keepdim=True) + number)
    if "over_queries_to_zero" in on:
        return softmax(hidden(scores, keep, on), 1, inner).nan_to_num()
    if "after" in on:
        return softmax(scores, dim, inner) * keep
    if "after_with_minus_inf" in on:
        return softmax(scores, dim, inner).masked_fill(~keep, -math.inf)
    if "after_with_softmax" in on:
        return softmax(softmax(scores, dim, inner).masked_fill(~keep, -math.inf), dim)
    if "divided_by_count" in on:
        return softmax(scores, dim, inner) * keep / keep.sum(-1, keepdim=True)
    if "uniform" in on:
        return (keep / keep.sum(-1, keepdim=True)).expand_as(scores) + 0 * scores
    return softmax(hidden(scores, keep, on), dim, inner)


def kept(mask: Tensor, scores: Tensor, on: Switches) -> Tensor:
    """Which scores the variant leaves visible."""
    keep = mask.bool()
    if on & {"inverted", "inverted_finite"}:
        keep = ~keep
    if "ignored" in on:
        keep = torch.ones_like(keep)
    if "integers_inverted" in on and mask.dtype != torch.bool:
        keep = torch.ones_like(keep)  # ~1 and ~0 are both true
    if on & {"integers_all_hidden", "integers_alike"} and mask.dtype != torch.bool:
        keep = torch.zeros_like(keep)
    if "first_row" in on:
        keep = keep[:1]
    if "last_row" in on:
        keep = keep[-1:]
    if "first_query" in on:
        keep = keep[:, :1]
    if "queries_hidden" in on:
        keep = keep.transpose(-2, -1)
    if "rows_and_columns" in on:
        keep = keep & keep.transpose(-2, -1)
    return keep


def hidden(scores: Tensor, keep: Tensor, on: Switches) -> Tensor:
    """The scores with those of hidden keys as the variant leaves them."""
    if "nan" in on:
        return scores + -math.inf * (1 - keep.float())
    for name, amount in ADDED.items():
        if name in on:
            return scores + amount * (keep.float() if amount > 0 else 1 - keep.float())
    for name, number in LOGS.items():
        if name in on:
            return scores + (keep.to(scores.dtype) + number).log()
    fill = -math.inf
    for name, number in FILLS.items():
        if name in on:
            fill = number
    if "in_place" in on:
        return scores.masked_fill_(~keep, fill)
    return scores.masked_fill(~keep, fill)


def masks(batch: int, query: int, key: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """[batch, 1, key] and [batch, query, key]; first and last row differ, none is empty."""
    padding = torch.ones(batch, 1, key, dtype=torch.int64)
    padding[0, :, key - 1 :] = 0
    padding[-1, :, :1] = 0
    each = torch.randint(0, 2, (batch, query, key), generator=generator)
    index = torch.arange(query)
    each[:, index, index % key] = 1
    each[:, index, (index + 1) % key] = 0
    return padding, each


def broadcast_masks(query: int, key: int, generator: Generator) -> tuple[Tensor, ...]:
    """One mask for all sentences: [1, 1, key] and [1, query, key], of other integers."""
    padding, each = masks(1, query, key, generator)
    return padding.to(torch.uint8), each.int()


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Both kinds of masks, as integers and bools, square scores, and scores far from 0."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    padding, each = masks(2, 3, 5, generator)
    _, square = masks(3, 4, 4, generator)
    square[:, torch.arange(4), torch.arange(4)] = 1
    low = draw(2, 3, 5) * 0.5 - 8
    far = torch.tensor([[[500.0, 501.0, 499.0, 500.5], [0.0, 1.0, -1.0, 0.5]]])
    loud = torch.tensor([[[0.3, -1.0, 0.5, 14.0]]])
    low_far = torch.tensor([[[-1500.0, -1501.0, -1499.0, -1499.0]]])
    low_hundred = torch.tensor([[[-97.0, -98.0, -99.0, -97.5], [-98.0, -97.0, -99.0, -97.0]]])
    last = torch.tensor([[[1, 1, 1, 0]]])
    alone, first = torch.tensor([[[-10.5, -10.0, -11.0, -9.0]]]), torch.tensor([[[1, 0, 0, 0]]])
    return (
        Probe((draw(2, 3, 5), padding), label="a mask over keys", gradient=True),
        Probe((draw(2, 3, 5), each.bool()), label="a mask for each query"),
        Probe((draw(3, 4, 4), square), label="as many queries as keys"),
        Probe((draw(3, 4, 4), square.bool()), label="as many queries as keys"),
        Probe((low, each), label="low scores"),
        Probe((alone, first), label="one visible score"),
        Probe((draw(2, 4, 4), torch.ones(2, 4, 4).tril().long()), label="the future is hidden"),
        Probe((loud, last), label="a high score that is hidden"),
        Probe((far, last), label="high scores"),
        Probe((low_hundred, last), label="scores near −100"),
        Probe((low_far, last.bool()), label="very low scores"),
        Probe((torch.tensor([[[-2e4, -20001.0, -20003.0, -2e4]]]), last), label="scores of −20000"),
    )


NO_SHIFT = tuple(
    Misconception(
        id,
        "There is no max subtraction: exp is applied to the scores as they are, so large "
        "scores (in float32, above about 88) overflow and give inf or nan, and very low rows "
        "vanish (a small constant in the denominator hides that, it does not help).",
        "Adding the same number to a whole row changes no share. Which freedom does that give "
        "you where exp would overflow?",
    )
    for constant in CONSTANTS
    for id in (constant, f"{constant}_filled")
    if id != "no_shift_times_mask_filled"
)
LOG_OF_MASK = tuple(
    Misconception(
        name,
        "The logarithm of the mask plus a small constant is added to the scores: hidden keys lose "
        "a fixed amount and no more, so a hidden key with a high score still gets weight.",
        "What is the logarithm of 0, and what does exp make of that?",
    )
    for name in LOGS
)
MISCONCEPTIONS = (
    AMBIGUOUS, BOOL_MINUS, INTEGER_MASK,
    *MASK_PART[:5], *SOFTMAX_PART[:2], *MASK_PART[5:], *SOFTMAX_PART[2:], *OWN_PART,
    *NO_SHIFT, *LOG_OF_MASK,
)  # fmt: skip

SUBJECTS = (FunctionSubject("masked_softmax", masked_softmax, probes, MISCONCEPTIONS),)
