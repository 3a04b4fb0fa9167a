"""The masked softmax with its wrong turns: polarity, axis, finite fills, before or after."""

import math
from collections.abc import Callable
from functools import partial

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .softmax import softmax
from .switches import NONE, Switches, applied, chosen


def _log_added(constant: float, scores: Tensor, keep: Tensor) -> Tensor:
    """With the logarithm of the mask, which a small constant keeps from −inf."""
    return scores + (keep + constant).log()


Step = Callable[[Tensor], Tensor]
Hidden = Callable[[Tensor, Tensor], Tensor]  # some numbers, and which of them are visible
AXES = {"softmax_over_queries": -2, "softmax_over_heads": 1, "softmax_over_batch": 0}
KEPT: dict[str, Step] = {  # what is visible
    "mask_inverted": torch.logical_not,
    "mask_inverted_finite": torch.logical_not,
    "mask_ignored": torch.ones_like,
    "mask_of_first_row": lambda keep: keep[:1],
    "mask_of_last_row": lambda keep: keep[-1:],
    "mask_of_first_query": lambda keep: keep[..., :1, :],
    "mask_over_queries": lambda keep: keep.transpose(-2, -1),
    "first_keys_visible": lambda keep: keep.long().sort(-1, descending=True).values.bool(),
    "rows_and_columns": lambda keep: keep & keep.transpose(-2, -1),
    "full_rows_seen": lambda keep: keep | ~keep.any(-1, keepdim=True),
}
KEPT_OF_INTEGERS: dict[str, Step] = {
    "integers_inverted": torch.ones_like,  # ~1 and ~0 are both true
    "integers_all_hidden": torch.zeros_like,
    "integers_alike": torch.zeros_like,
}
FILLS = {  # what hidden scores become
    "mask_fills_zero": 0.0,
    "mask_fills_tiny": 1e-9,
    "mask_fills_minus_one": -1.0,
    "mask_fills_minus_ten": -10.0,
    "mask_fills_minus_100": -100.0,
    "mask_fills_minus_1e3": -1e3,
    "mask_fills_minus_1e4": -1e4,
    "mask_fills_plus": 1e9,
    "mask_fills_plus_inf": math.inf,
    **dict.fromkeys(
        ("mask_inverted_finite", "integers_alike", "finite_fill", "hidden_rows_zero"), -1e9
    ),
}
ADDED: dict[str, Hidden] = {  # what is done instead of a fill
    "nan": lambda scores, keep: scores + -math.inf * (1 - keep.float()),
    "mask_subtracts_ten": lambda scores, keep: scores - 10.0 * (1 - keep.float()),
    "mask_added": lambda scores, keep: scores + keep.float(),
    **{f"log_of_mask_1e_{n}": partial(_log_added, 10.0**-n) for n in (4, 5, 6, 7, 8, 9)},
}
AFTER: dict[str, Callable[[Tensor, Tensor, int], Tensor]] = {  # a softmax of all scores
    "mask_after_softmax": lambda weights, keep, dim: weights * keep,
    "after_with_minus_inf": lambda weights, keep, dim: weights.masked_fill(~keep, -math.inf),
    "after_with_softmax": lambda weights, keep, dim: weights.masked_fill(~keep, -math.inf).softmax(
        dim
    ),
    "divided_by_count": lambda weights, keep, dim: weights * keep / keep.sum(-1, keepdim=True),
}
# Without a shift, people keep 0/0 away by a small constant; which one, shows in very low rows.
CONSTANTS = {"no_shift_times_mask": 0.0} | {
    f"no_shift_1e_{n}": 10.0**-n for n in (5, 6, 7, 8, 9, 12)
}
FILLED = {f"{name}_filled": constant for name, constant in CONSTANTS.items()}


def masked_softmax(scores: Tensor, mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    return weights_of(scores, visible(mask, on), on)


def visible(mask: Tensor, on: Switches) -> Tensor:
    """Which scores a mask leaves visible, as bools."""
    keep = mask.bool()
    if mask.dtype != torch.bool:
        keep = applied(KEPT_OF_INTEGERS, on, keep)
    return applied(KEPT, on, keep)


def weights_of(scores: Tensor, keep: Tensor | None, on: Switches) -> Tensor:
    """The weights of scores [..., query, key]; without `keep`, nothing is hidden."""
    dim = chosen(AXES, on, -1)
    inner = on - {"changes_its_input"}  # here, what is written into are the scores
    if "uniform" in on:
        seen = torch.ones_like(scores, dtype=torch.bool) if keep is None else keep
        return (seen / seen.sum(-1, keepdim=True)).expand_as(scores) + 0 * scores
    if keep is None:
        return softmax(scores, dim, inner)
    for constants, filled in ((CONSTANTS, False), (FILLED, True)):
        constant = chosen(constants, on, None)
        if constant is not None:
            shown = hidden(scores, keep, on).exp() if filled else scores.exp() * keep
            return shown / (shown.sum(dim, keepdim=True) + constant)
    if "softmax_over_queries_to_zero" in on:
        return softmax(hidden(scores, keep, on), -2, inner).nan_to_num()
    after = chosen(AFTER, on, None)
    if after is not None:
        return after(softmax(scores, dim, inner), keep, dim)
    weights = softmax(hidden(scores, keep, on), dim, inner)
    # As where a loop over what is visible adds up nothing.
    return weights * keep if "hidden_rows_zero" in on else weights


def hidden(scores: Tensor, keep: Tensor, on: Switches) -> Tensor:
    """The scores with those of hidden keys as the variant leaves them."""
    added = chosen(ADDED, on, None)
    if added is not None:
        return added(scores, keep)
    fill = chosen(FILLS, on, -math.inf)
    if "fill_added" in on:  # where all is hidden, gradients flow
        return scores + torch.zeros(keep.shape).masked_fill(~keep, fill)
    if "changes_its_input" in on:
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
    draw = standard_normal(generator)
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


SUBJECTS = (FunctionSubject("masked_softmax", masked_softmax, probes),)
