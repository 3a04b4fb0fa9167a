"""Known wrong turns of pooling over real tokens and of loading published weights."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor

from . import loading
from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def mean_pool(hidden_state: Tensor, attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        hidden_state = hidden_state.detach()
    mask = attention_mask.bool()
    if "inverted" in on:
        mask = ~mask
    if "ignored" in on:
        mask = torch.ones_like(mask)
    if "first_row" in on:
        mask = mask[:1].expand_as(mask)
    if "without_first" in on:
        mask = mask.clone()
        mask[:, 0] = False
    if "first_ones" in on:
        mask = torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True)
    if "first_token" in on:
        return hidden_state[:, 0]
    if "maximum" in on:
        return hidden_state.masked_fill(~mask.unsqueeze(-1), -math.inf).amax(1)
    if "maximum_of_all" in on:
        return hidden_state.amax(1)
    real = mask.to(hidden_state.dtype)
    real = real if "no_axis" in on else real.unsqueeze(-1)
    if "in_place" in on:
        hidden_state.mul_(real)
    kept = hidden_state * real
    axis = 2 if "over_features" in on else 1
    total, count = kept.sum(axis), real.sum(1)
    if "no_axis_at_all" in on:
        return (hidden_state * mask.to(hidden_state.dtype)).sum(1) / mask.sum(1)
    if "zeros_left_out" in on:
        count = (kept != 0).sum(1).clamp(min=1).to(total.dtype)
    if "over_features" in on or "no_axis" in on:
        count = mask.sum(1, keepdim=True).to(total.dtype)
    return _divided(total, count, kept, on)


def _divided(total: Tensor, count: Tensor, kept: Tensor, on: Switches) -> Tensor:
    if "summed" in on:
        return total
    if "by_length" in on:
        return total / kept.shape[1]
    if "by_batch_count" in on:
        return total / count.sum()
    if "by_root" in on:
        return total / count.sqrt()
    if "plus_one" in on:
        return total / (count + 1)
    result = total / count
    if "unit_length" in on:
        result = result / result.norm(dim=-1, keepdim=True)
    return result.unsqueeze(1) if "axis_kept" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, sizes pairwise different and coinciding."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    mask = torch.tensor([[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]])
    square = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0]])
    three = torch.tensor([[1, 0, 0, 0], [1, 1, 1, 1], [1, 1, 0, 0]])
    holes = torch.tensor([[0, 0, 1, 1], [1, 0, 1, 0], [1, 1, 1, 0]])
    zeros = draw(3, 4, 5)
    zeros[1, 2, 3] = zeros[2, 0, 1] = 0.0
    return (
        Probe((draw(2, 5, 3), mask), gradient=True),
        Probe((draw(3, 4, 6), three)),
        Probe((draw(3, 4, 6), three.bool()), label="a bool mask"),
        Probe((draw(3, 4, 4), three), label="as many features as tokens"),
        Probe((draw(4, 4, 4), square), label="all sizes equal"),
        Probe((draw(1, 4, 4), square[:1]), label="one sentence, as many features as tokens"),
        Probe((draw(3, 4, 5), holes), label="padding on the left and in between"),
        Probe((zeros, three), label="zeros in real tokens"),
        Probe((draw(2, 3, 7), torch.ones(2, 3, dtype=torch.int64)), label="nothing is padded"),
    )


_COUNT = "How many vectors were added up in each row?"
POOL = (
    Misconception(
        "bool_arithmetic",
        "The mask is used as a number although it may be bool, which PyTorch refuses here.",
        "What turns 0/1 and bool alike into numbers of the hidden state's dtype?",
        error=r"with (a |two )?bool tensors? is not supported|could not infer output dtype",
    ),
    Misconception(
        "ignored",
        "The mask is not used: padding is averaged in, so a sentence's vector depends on its "
        "batch.",
        "What should happen to a sentence's vector when it is padded further?",
    ),
    Misconception(
        "by_length",
        "The padded vectors are zeroed, but the sum is divided by the full length: short "
        "sentences get short vectors.",
        _COUNT,
    ),
    Misconception("summed", "The real vectors are summed, never divided.", _COUNT),
    Misconception(
        "inverted",
        "The mask is inverted: only the padding is averaged.",
        "Which value does the tokenizer give to a real token?",
    ),
    Misconception(
        "first_token",
        "The vector of the first token alone comes back ([CLS] pooling).",
        "What should happen when the last real token changes?",
    ),
    Misconception(
        "maximum",
        "The largest value of each feature comes back instead of the mean.",
        "What is the mean of 1, 2 and 9, and what is their maximum?",
    ),
    Misconception(
        "maximum_of_all",
        "The largest value of each feature comes back, padding included.",
        "What is the mean of 1, 2 and 9, and what is their maximum?",
    ),
    Misconception(
        "by_batch_count",
        "The sum is divided by the number of real tokens in the whole batch.",
        _COUNT,
    ),
    Misconception(
        "first_row",
        "The mask of the first sentence is used for all.",
        "What is right for the first sentence and wrong for the others?",
    ),
    Misconception(
        "no_axis",
        "The mask has no axis for the features: it lines up with them instead of the tokens, or "
        "does not fit at all.",
        "Which axis must [batch, seq] gain to line up with [batch, seq, hidden]?",
        ways=("no_axis_at_all",),
    ),
    Misconception(
        "over_features",
        "The features are added up instead of the tokens.",
        "Which axis should be gone from the result?",
    ),
    Misconception(
        "by_root",
        "The sum is divided by the root of the number of real tokens.",
        _COUNT,
    ),
    Misconception("plus_one", "The sum is divided by one more than the real tokens.", _COUNT),
    Misconception(
        "without_first",
        "The first token is left out of the mean.",
        "Is [CLS] a real token to the attention mask?",
    ),
    Misconception(
        "first_ones",
        "The first vectors of each sentence are averaged, as many as it has real tokens: wherever "
        "padding stands before or between these, it is averaged in.",
        "Does the mask say how many tokens are real, or which?",
    ),
    Misconception(
        "zeros_left_out",
        "What is counted are numbers that are not 0: a real token with a 0 in it is missing from "
        "the count of that feature.",
        _COUNT,
    ),
    Misconception(
        "unit_length",
        "The mean is scaled to length 1 on top: that is a later step.",
        "Was anything said about the length of the vector?",
    ),
    Misconception(
        "axis_kept",
        "The values are right, but the averaged axis is kept with length 1.",
        "How many axes does one vector for each sentence have?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the hidden state is overwritten on the way.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the hidden state.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECTS: tuple[Any, ...] = (
    FunctionSubject("mean_pool", mean_pool, probes, POOL),
    loading.SUBJECT,
)
ENTRIES = {"load_bert_weights": "grader_load_bert"}
