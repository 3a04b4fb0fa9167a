"""The cross-entropy's two halves with their wrong turns: logarithms of chances, and the mean."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from .switches import Switches, chosen

Along = Callable[[Tensor, int], Tensor]  # logits, and the dimension along which they compete
_SMALL = {f"1e_{n}": 10.0**-n for n in (4, 5, 6, 7, 8, 9, 10, 12, 15)}
_SMALL |= {"eps": torch.finfo(torch.float32).eps}
# So small that a constant added and a bound from below are the same.
_TINY = {f"bounded_1e_{n}": 10.0**-n for n in (20, 30, 37)}


def _plus(constant: float, logits: Tensor, dim: int) -> Tensor:
    return (logits.softmax(dim) + constant).log()


def _clamped(least: float, logits: Tensor, dim: int) -> Tensor:
    return logits.softmax(dim).clamp(min=least).log()


def _unshifted(logits: Tensor, dim: int) -> Tensor:
    return logits - logits.exp().sum(dim, keepdim=True).log()


DIMENSIONS = {"softmax_over_positions": 1, "softmax_over_batch": 0}
LOG_CHANCES: dict[str, Along] = {
    "logit_itself": lambda x, dim: x,
    "no_log": lambda x, dim: x.softmax(dim),
    "log_of_softmax": lambda x, dim: x.softmax(dim).log(),
    **{f"log_plus_{name}": partial(_plus, number) for name, number in _SMALL.items()},
    "with_constant": partial(_plus, 1e-9),
    **{f"clamped_{name}": partial(_clamped, number) for name, number in _SMALL.items()},
    **{name: partial(_clamped, number) for name, number in _TINY.items()},
    "no_shift_of_shares": lambda x, dim: (x.exp() / x.exp().sum(dim, keepdim=True)).log(),
    "no_shift": _unshifted,
    "global_max": lambda x, dim: _unshifted(x - x.max(), dim),
    "sum_of_logits": lambda x, dim: x - x.sum(dim, keepdim=True),
    "shift_not_returned": lambda x, dim: (
        x - (x - x.amax(dim, keepdim=True)).exp().sum(dim, keepdim=True).log()
    ),
    "base_two": lambda x, dim: x.log_softmax(dim) / math.log(2),
}
# What becomes of the losses, and of the logits' shape [..., labels].
REDUCTIONS: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "not_averaged": lambda losses, logits: losses,
    "one_for_each": lambda losses, logits: losses.mean(-1),
    "summed": lambda losses, logits: losses.sum(),
    "summed_along": lambda losses, logits: losses.sum(-1).mean(),
    "by_labels": lambda losses, logits: losses.sum() / logits.shape[-1],
    "by_all": lambda losses, logits: losses.mean() / logits.shape[-1],
    "by_all_positions": lambda losses, logits: losses.sum() / math.prod(logits.shape[:-1]),
    "largest": lambda losses, logits: losses.max(),
    "first_alone": lambda losses, logits: losses[0],
    "perplexity": lambda losses, logits: losses.mean().exp(),
    "plain_number": lambda losses, logits: losses.mean().item(),
    "axis_kept": lambda losses, logits: losses.mean().unsqueeze(0),
    "double": lambda losses, logits: losses.mean().double(),
}


def log_chances(logits: Tensor, on: Switches) -> Tensor:
    """The logarithm of each label's chance, or what is taken for it."""
    dim = chosen(DIMENSIONS, on, -1)
    return chosen(LOG_CHANCES, on, Tensor.log_softmax)(logits, dim)


def reduced(losses: Tensor, logits: Tensor, on: Switches) -> Any:
    """The mean of the losses, or what is taken for it."""
    losses = -losses if "negative" in on else losses
    return chosen(REDUCTIONS, on, lambda losses, logits: losses.mean())(losses, logits)
