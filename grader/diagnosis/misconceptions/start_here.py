"""Known wrong turns of chapter 00: averaging over the wrong axis, or not averaging."""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def sentence_vector(hidden_state: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    x = hidden_state
    if "in_place" in on:
        x.div_(x.shape[1])
        return x.sum(1)
    if "detached" in on:
        x = x.detach()
    axis = 0 if "over_batch" in on else 2 if "over_features" in on else 1
    keep = "axis_kept" in on
    if "over_everything" in on:
        return x.mean()
    if "over_batch_and_tokens" in on:
        return x.mean((0, 1))
    if "first_token" in on:
        return x.select(axis, 0)
    if "last_token" in on:
        return x.select(axis, -1)
    if "maximum" in on:
        return x.amax(axis, keepdim=keep)
    if "minimum" in on:
        return x.amin(axis, keepdim=keep)
    if "median" in on:
        return x.median(axis, keepdim=keep).values
    total = x.sum(axis, keepdim=keep)
    if "summed" in on:
        return total
    count = x.shape[axis]
    if "by_features" in on:
        count = x.shape[2]
    if "by_batch" in on:
        count = x.shape[0]
    if "one_too_few" in on:
        count -= 1
    result = total / count
    if "unit_length" in on:
        result = result / result.norm(dim=-1, keepdim=True)
    return result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Pairwise different sizes, a square one, a single token."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return (
        Probe((draw(2, 5, 3),), gradient=True),
        Probe((draw(4, 3, 7),)),
        Probe((draw(3, 3, 3),), label="all sizes equal"),
        Probe((draw(1, 6, 2),)),
    )


MISCONCEPTIONS = (
    Misconception(
        "over_batch",
        "It averages over the sentences of the batch (axis 0), so all sentences are melted into "
        "one, token by token.",
        "Which of the three axes counts the tokens of one sentence?",
    ),
    Misconception(
        "over_features",
        "It averages over the features (the last axis), so each token becomes a single number and "
        "the tokens stay apart.",
        "Which axis should be gone from the result, and which must survive?",
    ),
    Misconception(
        "summed",
        "It adds the token vectors up without dividing, so long sentences get long vectors.",
        "What turns a sum over the tokens into their average?",
    ),
    Misconception(
        "axis_kept",
        "The values are right, but the averaged axis is kept with length 1.",
        "How many axes does one vector for each sentence of a batch have?",
    ),
    Misconception(
        "first_token",
        "It takes the vector of the first token alone; the other tokens have no say.",
        "What changes in the result when you change the last token of a sentence?",
    ),
    Misconception(
        "last_token",
        "It takes the vector of the last token alone; the other tokens have no say.",
        "What changes in the result when you change the first token of a sentence?",
    ),
    Misconception(
        "over_everything",
        "It averages over all axes at once, so a whole batch becomes a single number.",
        "What does a mean do when nobody tells it along which axis?",
    ),
    Misconception(
        "over_batch_and_tokens",
        "It averages over sentences and tokens together: one vector is left for the whole batch.",
        "How many vectors should come back for a batch of two sentences?",
    ),
    Misconception(
        "maximum",
        "It takes the largest value of each feature instead of the average.",
        "What is the average of 1, 2 and 9, and what is their maximum?",
    ),
    Misconception(
        "minimum",
        "It takes the smallest value of each feature instead of the average.",
        "What is the average of 1, 2 and 9, and what is their minimum?",
    ),
    Misconception(
        "median",
        "It takes the median of each feature instead of the average.",
        "What is the average of 1, 2 and 9, and what is their median?",
    ),
    Misconception(
        "by_features",
        "It adds up the token vectors but divides by the number of features, not of tokens.",
        "How many things were added up?",
    ),
    Misconception(
        "by_batch",
        "It adds up the token vectors but divides by the number of sentences, not of tokens.",
        "How many things were added up?",
    ),
    Misconception(
        "one_too_few",
        "It divides by one less than the number of tokens, as for a sample variance.",
        "What should the average of three equal vectors be?",
    ),
    Misconception(
        "unit_length",
        "It scales each average to length 1 on top of averaging.",
        "Was anything said about the length of a sentence's vector?",
    ),
    Misconception(
        "in_place",
        "The values are right, but the input is overwritten on the way: whoever uses it next gets "
        "other numbers.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches the input: training could not get past "
        "this point.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECTS = (FunctionSubject("sentence_vector", sentence_vector, probes, MISCONCEPTIONS),)
