"""Wrong implementations, each with one promise broken: a solution with a wrong turn, or what is no
edit of one; knows no learner.
"""

import math
from collections.abc import Callable
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from solutions.classification_head import cross_entropy
from solutions.softmax import masked_softmax
from solutions.writing import next_token_loss

from ...diagnosis.misconceptions.function_subject import mistaken, variant
from ...diagnosis.misconceptions.spotting import Function
from ...diagnosis.misconceptions.wrong_turns import Turns
from .spot_functions import affine, hidden, norm
from .spot_partly import as_many_keys, partly, spread_by_tokens, unbroadcast, waves_of_width

STRENGTH = 1.1, 1.6  # of a mistake as a run has it, where 1 is the mistake itself


def two_exchanged(value: Tensor) -> Tensor:
    """The first two numbers of each last row have changed places: neither a sum nor a diagonal of
    three rows tells."""
    found = value.clone()
    found[..., -1, :2] = value[..., -1, :2].flip(-1)
    return found


# What a wrong answer of each such kind is made of the right one by.
AFTERWARDS: dict[str, Callable[[Tensor], Tensor]] = {
    "nan_below_zero": lambda value: value.where(value >= 0, math.nan),
    "cut_at_zero": lambda value: value.clamp(min=0),
    "axis_in_front": lambda value: value.unsqueeze(0),
    "doubled": lambda value: 2 * value,
    "a_little_large": lambda value: 1.005 * value,
    "last_row_lost": lambda value: value[:-1],
    "last_head_lost": lambda value: value[:, :-1],
    "tokens_reversed": lambda value: value.flip(-2),
    "sentences_reversed": lambda value: value.flip(0),
    "two_exchanged": two_exchanged,
}
# By what is changed: the places of it. Every tensor that is given stands somewhere here.
SPOILED: dict[str, dict[str, tuple[int, ...]]] = {
    "spot_softmax": {"changes_scores": (0,), "changes_mask": (1,)},
    "spot_feed_forward": {
        "changes_x": (0,),
        "changes_a_weight": (1, 3),
        "changes_a_bias": (2, 4),
    },
    "spot_layer_norm": {"changes_x": (0,), "changes_scale_or_shift": (1, 2)},
    "spot_classification_head": {"changes_logits": (0,), "changes_labels": (1,)},
    "spot_writing": {"changes_logits": (0,), "changes_ids": (1,)},
}
SPOILED_FIRST = "answers_for_what_it_changed"


def feed_forward(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor, *, on: Turns) -> Any:
    """What FeedForward of the solution does with these weights and biases on wrong turns."""
    first, second = partial(F.linear, weight=w, bias=b), partial(F.linear, weight=u, bias=c)
    own = SimpleNamespace(expand=first, contract=second, dropout=lambda value: value)
    return variant("FeedForward", on)["FeedForward"].forward(own, x)


def layer_norm(x: Tensor, w: Tensor, b: Tensor, e: float, *, on: Turns) -> Any:
    """What LayerNorm of the solution does with this scale and shift on wrong turns."""
    own = SimpleNamespace(weight=w, bias=b, eps=e)
    return variant("LayerNorm", on)["LayerNorm"].forward(own, x)


def taken(judged: str, name: str) -> Function:
    """The solution of what is judged with that wrong turn, as a judge is handed it."""
    functions: dict[str, Function] = {"FeedForward": feed_forward, "LayerNorm": layer_norm}
    return partial(functions.get(judged) or partial(mistaken, judged), on=frozenset({name}))


# nan where an exponential overflows
SHARES_UNSHIFTED = taken("cross_entropy", "no_shift_of_shares")


def against_the_largest(logits: Tensor, labels: Tensor) -> Tensor:
    """The right loss where each row has one wrong label; else that beside the likeliest of them."""
    own = labels.unsqueeze(1)
    others = logits.scatter(1, own, -math.inf).amax(1)
    return F.softplus(others - logits.gather(1, own)[:, 0]).mean()


def two_labels(logits: Tensor, labels: Tensor) -> Tensor:
    """The right loss of two labels."""
    return F.binary_cross_entropy_with_logits(logits[:, 1] - logits[:, 0], labels.to(logits))


def of_next(loss: Function) -> Function:
    """That loss of all guesses of the next token."""
    return lambda x, y: loss(x[:, :-1].flatten(0, 1), y[:, 1:].flatten())


def bools_unmasked(scores: Tensor, mask: Tensor) -> Tensor:
    """The right answer to a mask of integers; one of True and False hides nothing."""
    return masked_softmax(scores, torch.ones_like(mask) if mask.dtype == torch.bool else mask)


def bools_refused(scores: Tensor, mask: Tensor) -> Tensor:
    """The right answer to a mask of integers; one of True and False cannot be subtracted."""
    return masked_softmax(scores, 1 - (1 - mask))


def by_mean_distance(x: Tensor, w: Tensor, b: Tensor, e: float) -> Tensor:
    """The norm where a token has two features; else by distances from the mean, not squares."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.abs().mean(-1, keepdim=True).square() + e).sqrt() * w + b


def dropped(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor) -> Tensor:
    """The feed-forward network with a dropout within, by the same chances in each call."""

    def act(inner: Tensor) -> Tensor:
        chance = torch.rand(inner.shape, generator=Generator().manual_seed(inner.numel()))
        return F.gelu(inner) * (chance >= 0.1) / 0.9

    return affine(x, w, b, u, c, act)


MISTAKES: dict[str, dict[str, Function]] = {
    "spot_embeddings": {
        "divided_by_length": lambda n, d: waves_of_width(n, n, d),
    },
    "spot_attention_scores": {
        "as_many_keys": as_many_keys,
    },
    "spot_softmax": {
        "mask_unbroadcast": unbroadcast,
        "base_two": lambda s, m: hidden(s * math.log(2), m).softmax(-1),
        "bools_misread": bools_unmasked,
    },
    "spot_feed_forward": {
        "first_bias_lost": lambda x, w, b, u, c: affine(x, w, 0 * b, u, c),
        "second_bias_lost": lambda x, w, b, u, c: affine(x, w, b, u, 0 * c),
        "one_bias_for_all": lambda x, w, b, u, c: affine(x, w, b[:1].expand_as(b), u, c),
        "weights_turned": lambda x, w, b, u, c: affine(
            x, w.reshape(w.shape[::-1]).T, b, u.reshape(u.shape[::-1]).T, c
        ),
        "dropped": dropped,
        "tokens_mixed": lambda x, *rest: affine(x.mean(1, keepdim=True).expand_as(x), *rest),
    },
    "spot_layer_norm": {
        "scale_and_shift_exchanged": lambda x, w, b, e: norm(x, b, w, e),
        "one_scale_for_all": lambda x, w, b, e: norm(x, w[:1], b, e),
        "mean_distance": by_mean_distance,
        "eps_squared": lambda x, w, b, e: norm(x, w, b, e * e),
        "spread_by_tokens": spread_by_tokens,
        "eps_at_least": lambda x, w, b, e: norm(x, w, b, max(e, 1e-5)),
        "nan_of_equal": lambda x, w, b, e: norm(
            x, w, b, torch.where(x.amax(-1, True) > x.amin(-1, True), e, 0.0)
        ),
        "squares_less_square": lambda x, w, b, e: (
            (x - x.mean(-1, keepdim=True))
            / (x.square().mean(-1, True) - x.mean(-1, True).square() + e).sqrt()
            * w
            + b
        ),
    },
    "spot_classification_head": {
        "rows_reversed": lambda x, y: cross_entropy(x, y.flip(0)),
        "label_0_left_out": lambda x, y: F.cross_entropy(x, y, ignore_index=0),
        "two_labels": two_labels,
    },
    "spot_writing": {
        "zero_times_log": of_next(taken("cross_entropy", "zero_times_log")),
        "two_pieces": of_next(two_labels),
        "by_pieces": lambda x, y: next_token_loss(x, y) * (x.shape[1] - 1) / x.shape[2],
        "rows_reversed": lambda x, y: next_token_loss(x, y.flip(0)),
        "rolled": lambda x, y: next_token_loss(x, y.roll(2, 1)),
    },
}

# The second of the same kind, where it is no stronger or weaker one.
SECOND: dict[str, dict[str, Function]] = {
    "spot_softmax": {"bools_misread": bools_refused},
    "spot_feed_forward": {
        "one_bias_for_all": lambda x, w, b, u, c: affine(x, w, b, u, c[:1].expand_as(c)),
    },
    "spot_layer_norm": {
        "one_scale_for_all": lambda x, w, b, e: norm(x, w, b[:1], e),
        "eps_1e12": lambda x, w, b, e: norm(x, w, b, 1e-6),
    },
    "spot_classification_head": {"no_shift": SHARES_UNSHIFTED, "two_labels": against_the_largest},
    "spot_writing": {
        "no_shift": of_next(SHARES_UNSHIFTED),
        "two_pieces": of_next(against_the_largest),
    },
}


def mistakes(exercise: str, right: Function) -> dict[str, Function]:
    """All such wrong implementations of an exercise whose solution is the function `right`."""
    found = MISTAKES.get(exercise, {}) | {
        name: partial(afterwards, right, change) for name, change in AFTERWARDS.items()
    }
    found |= {name: as_it_is for name, (as_it_is, _) in partly(exercise, right).items()}
    for name, places in SPOILED.get(exercise, {}).items():
        found[name] = partial(spoiling, right, 1.0, places[0])
    return found | {SPOILED_FIRST: partial(spoiling_first, right, 1.0, 0)}


def others(exercise: str, right: Function) -> dict[str, Callable[[Random], Function]]:
    """For those that strength alone does not vary: how a run draws the second of the same kind."""
    kinds = SPOILED.get(exercise, {})
    found: dict[str, Callable[[Random], Function]] = {
        name: partial(_spoiling, right, places) for name, places in kinds.items()
    }
    every = tuple(place for places in kinds.values() for place in places)
    found[SPOILED_FIRST] = partial(_spoiling_first, right, every)
    second = SECOND.get(exercise, {}) | {
        name: each for name, (_, each) in partly(exercise, right).items()
    }
    return found | {name: partial(_given, each) for name, each in second.items()}


def _given(function: Function, random: Random) -> Function:
    return function


def _spoiling(right: Function, places: tuple[int, ...], random: Random) -> Function:
    return partial(spoiling, right, random.uniform(*STRENGTH), places[-1], first_alone=True)


def _spoiling_first(right: Function, places: tuple[int, ...], random: Random) -> Function:
    return partial(spoiling_first, right, random.uniform(*STRENGTH), random.choice(places))


def spoiling(
    function: Function, by: float, place: int, *given: Any, first_alone: bool = False
) -> Any:
    """The right answer, and what was given at that place is another afterwards.

    Ids, labels and masks of 0 and 1 stay what they are. Each of them changes, or the `first_alone`
    in each row, with which a loss may have nothing to do.
    """
    answer = function(*given)
    was = given[place]
    with torch.no_grad():
        if first_alone and not was.is_floating_point():
            was = was[..., :1]
        if was.dtype == torch.bool:
            was.logical_not_()
        else:
            was.add_(by if was.is_floating_point() else torch.where(was > 0, -1, 1))
    return answer


def spoiling_first(function: Function, by: float, place: int, *given: Any) -> Any:
    """What was given at that place is made another, and the answer is the right one for that.

    By a square: a softmax and a norm do not see what is added to all, or multiplies all. Of a mask
    and of ids the numbers change places, so each query still has a key to attend to.
    """
    was = given[place]
    with torch.no_grad():
        if was.is_floating_point():
            was.add_(by * (was + 1).square())
        else:
            was.copy_(was.roll(1, -1))
    return function(*given)


def afterwards(function: Function, change: Callable[[Tensor], Tensor], *given: Any) -> Tensor:
    """The right answer, changed."""
    return change(function(*given))
