"""Draws the implementations that a find-the-mistake function is asked about; knows no learner.

All round a little otherwise in every run, and each mistake is there as it is and in another
strength, so that what one run has shown is no table for the next. Where a mistake does not show,
no digit tells it from a right one. For each of them all is worked out that any of them needs, so
that no clock does.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.changes import changes
from ...diagnosis.misconceptions.function_subject import clash_at, mistaken
from ...diagnosis.misconceptions.spotting import Flawed, Function, Spot, copied
from .spot_mistakes import STRENGTH

_ROUNDING = (0.5e-7, 2.5e-7)  # a share of each number: what right formulations differ by
_ROUND = 2.0**10  # a number with so few digits, such as 0, ½ and 1, comes out as it is
MADE_UP = "its answers are made up"
_MADE_UP_SLOPE = -1.5  # in the place of 1
_PERMUTING = ("spot_multi_head_attention",)  # their numbers are moved: nothing is rounded


def drawn(spot: Spot, generator: Generator) -> Spot:
    """The implementations of one run, in no order that tells anything.

    Each mistake is there twice, one after the other: as it is, and as this run has it.
    """
    random = Random(generator.initial_seed())

    def as_asked(beside: Function, function: Function, strength: float = 0.0) -> Function:
        return _rounded(spot, partial(_answer, beside, function, strength=strength), random)

    right = tuple(as_asked(spot.wrong[-1].function, each) for each in spot.right)
    twice = [
        each for flawed in spot.wrong for each in ((flawed, 0.0), _varied(spot, flawed, random))
    ]
    wrong = tuple(
        replace(one, function=as_asked(spot.right[0], one.function, by)) for one, by in twice
    )
    return replace(spot, right=right, wrong=wrong)


def made_up(spot: Spot, generator: Generator, count: int) -> tuple[Flawed, ...]:
    """So many that answer in the right form, and everywhere something else than the right ones.

    Who knows a little of what is right says no to all of them. Who only compares answers with each
    other, or with a few bits heard elsewhere, cannot tell them from the right ones.
    """
    seeds = torch.randint(2**40, (count,), generator=generator).tolist()
    random, both = Random(generator.initial_seed()), (spot.wrong[-1].function, spot.right[0])
    given = [partial(_answer, *both, seed=seed) for seed in seeds]
    return tuple(Flawed(MADE_UP, _rounded(spot, each, random)) for each in given)


def _answer(
    beside: Function, function: Function, *args: Any, strength: float = 0.0, seed: int = 0
) -> Any:
    """What a function answers; with `strength` at that distance from the answer of `beside`, with
    `seed` in its place something that is made up.

    One of the two is right, the other wrong, whichever is asked about. Gradients are the function's
    own, and those of what is made up go another way.
    """
    other: Any = None
    with suppress(Exception), torch.no_grad():
        other = beside(*map(copied, args))
    value = function(*args)
    if not isinstance(value, Tensor):
        with suppress(Exception):
            other = _made_up_pieces(seed, len(value), args[1])
        return other if seed else value
    with torch.no_grad():
        choice = (value, _blended(value, other, strength), _made_up(value, seed))
        chosen = choice[2 if seed else 1 if strength else 0]
    if not value.is_floating_point():
        return chosen
    value = value * (_MADE_UP_SLOPE if seed else 1.0)
    with torch.no_grad():
        is_same = chosen == value
        stays = is_same | value.isfinite()
        apart = torch.where(is_same, 0.0, torch.where(stays, chosen - value, chosen))
    return torch.where(stays, value, 0.0) + apart


def _made_up_pieces(seed: int, size: int, vocab: Any) -> list[str]:
    random, pieces = Random(seed), sorted(vocab) or [MADE_UP]
    return [random.choice(pieces) for _ in range(size + random.randint(1, 2))]


def _made_up(value: Tensor, seed: int) -> Tensor:
    generator = Generator().manual_seed(seed)
    sign = torch.randint(2, value.shape, generator=generator) * 2.0 - 1
    apart = sign * (1 + torch.rand(value.shape, generator=generator))
    return torch.where(value.isfinite(), value + apart * (1 + value.abs()), apart).to(value.dtype)


def _blended(value: Tensor, other: Any, strength: float) -> Tensor:
    """The wrong answer at that distance from the right one; scaled where the shapes differ."""
    if not value.is_floating_point():
        return value
    if not isinstance(other, Tensor) or value.shape != other.shape:
        return value * strength
    return torch.where(value == other, other, other + strength * (value - other))  # ∞ − ∞ is nan


def _rounded(spot: Spot, function: Function, random: Random) -> Function:
    """The same up to rounding, and never further from 0: weights stay at most 1."""
    if spot.exercise in _PERMUTING:
        return function
    by = 1 - random.uniform(*_ROUNDING)

    def change(value: Tensor) -> Tensor:
        is_round = (value * _ROUND).frac() == 0
        return torch.where(is_round, value, (value.double() * by).float())

    return partial(_changed, function, change)


def _varied(spot: Spot, flawed: Flawed, random: Random) -> tuple[Flawed, float]:
    """One more with the same mistake: another of its kind, or by how much stronger or weaker it is;
    where an answer has no numbers, with another mistake."""
    if flawed.other is not None:
        return replace(flawed, function=flawed.other(random)), 0.0
    if spot.exercise == "spot_tokenization":
        return _joined(spot, flawed, random), 0.0
    return flawed, random.uniform(*STRENGTH)


def _joined(spot: Spot, flawed: Flawed, random: Random) -> Flawed:
    exercise, own = _taken(flawed.function)
    known = changes(exercise)
    edits = {edit for name in own for edit in known[name]}
    edited = [each for each in spot.wrong if each.other is None and each is not flawed]
    others = [_taken(each.function)[1] for each in edited]
    # What is edited in the same way is one mistake in the place of the other, and not both.
    others = [on for on in others if not any(edits & {*known[name]} for name in on)]
    both = random.choice([o | own for o in others if not clash_at(exercise, o | own)] or [own])
    return replace(flawed, function=partial(mistaken, exercise, on=both))


def _taken(function: Function) -> tuple[str, frozenset[str]]:
    """The exercise, and the wrong turns that this implementation takes."""
    assert isinstance(function, partial)
    return function.args[0], function.keywords["on"]


def _changed(function: Function, change: Callable[[Tensor], Tensor], *args: Any, **kw: Any) -> Any:
    value = function(*args, **kw)
    return change(value) if isinstance(value, Tensor) and value.dtype == torch.float32 else value
