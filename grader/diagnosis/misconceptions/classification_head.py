"""Known wrong turns of the loss: what is averaged, what goes into the logarithm, and stability."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from . import training
from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
_SMALL = {f"1e_{n}": 10.0**-n for n in (4, 5, 6, 7, 8, 9, 10, 12, 15)}
_SMALL |= {"eps": torch.finfo(torch.float32).eps}
# So small that a constant added and a bound from below are the same.
TINY = {f"bounded_1e_{n}": 10.0**-n for n in (20, 30, 37)}
CONSTANTS = {f"log_plus_{name}": number for name, number in _SMALL.items()}
CLAMPS = {f"clamped_{name}": number for name, number in _SMALL.items()}


def cross_entropy(logits: Tensor, labels: Tensor, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "detached" in on:
        logits = logits.detach()
    if "labels_one_too_low" in on:
        labels = (labels - 1) % logits.shape[-1]
    if "own_choice" in on:
        labels = logits.argmax(-1)
    if "twice" in on:
        logits = logits.softmax(-1)
    if "squared" in on:
        return (logits.softmax(-1) - F.one_hot(labels, logits.shape[-1])).square().mean()
    if "binary" in on:
        right = F.one_hot(labels, logits.shape[-1]).to(logits.dtype)
        return F.binary_cross_entropy_with_logits(logits, right)
    if "smoothed" in on:
        return F.cross_entropy(logits, labels, label_smoothing=0.1)
    chances = _log_chances(logits, on)
    if "every_pair" in on:
        return -chances[:, labels].mean()
    if "first_column" in on:
        return -chances[:, 0].mean()
    losses = -chances.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return _reduced(losses, logits, on)


def _log_chances(logits: Tensor, on: Switches) -> Tensor:
    if "logit_itself" in on:
        return logits
    dim = 0 if "over_batch" in on else -1
    if "no_log" in on:
        return logits.softmax(dim)
    if "log_of_softmax" in on:
        return logits.softmax(dim).log()
    for name, constant in CONSTANTS.items():
        if name in on:
            return (logits.softmax(dim) + constant).log()
    for name, least in (CLAMPS | TINY).items():
        if name in on:
            return logits.softmax(dim).clamp(min=least).log()
    if "no_shift_of_shares" in on:
        return (logits.exp() / logits.exp().sum(dim, keepdim=True)).log()
    if "no_shift" in on:
        return logits - logits.exp().sum(dim, keepdim=True).log()
    if "global_max" in on:
        logits = logits - logits.max()
        return logits - logits.exp().sum(dim, keepdim=True).log()
    if "sum_of_logits" in on:
        return logits - logits.sum(dim, keepdim=True)
    if "shift_not_returned" in on:
        return logits - (logits - logits.amax(dim, keepdim=True)).exp().sum(dim, keepdim=True).log()
    chances = logits.log_softmax(dim)
    return chances / math.log(2) if "base_two" in on else chances


def _reduced(losses: Tensor, logits: Tensor, on: Switches) -> Any:
    if "negative" in on:
        losses = -losses
    if "not_averaged" in on:
        return losses
    if "summed" in on:
        return losses.sum()
    if "by_labels" in on:
        return losses.sum() / logits.shape[-1]
    if "by_all" in on:
        return losses.mean() / logits.shape[-1]
    if "largest" in on:
        return losses.max()
    if "first_alone" in on:
        return losses[0]
    result = losses.mean()
    if "plain_number" in on:
        return result.item()
    if "one_axis" in on:
        return result.unsqueeze(0)
    return result.double() if "double" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary logits, then logits on which only a stable formulation survives."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    large = torch.tensor([[500.0, 501.0, 0.0], [0.0, 1.0, 2.0]])
    return (
        Probe((draw(3, 5) * 2, torch.tensor([4, 0, 2])), gradient=True),
        Probe((draw(4, 3), torch.tensor([1, 1, 0, 2]))),
        Probe((draw(2, 2), torch.tensor([1, 0])), label="two labels"),
        Probe((large, torch.tensor([0, 2])), label="large logits"),
        Probe((torch.tensor([[12.0, 0.0], [0.0, -11.0]]), torch.tensor([1, 1])), label="mistakes"),
        Probe((torch.tensor([[30.0, 0.0], [0.0, -28.0]]), torch.tensor([1, 1])), label="sure ones"),
        Probe(
            (torch.tensor([[300.0, 0.0], [0.0, -200.0]]), torch.tensor([1, 0])), label="very sure"
        ),
    )


_LOG = "What is the logarithm of a chance that has been rounded to 0?"
_MEAN = "Over what is the loss averaged, and how many of them are there?"
MISCONCEPTIONS = (
    Misconception(
        "summed",
        "The losses are summed over the batch instead of averaged: twice the batch, twice the "
        "loss.",
        _MEAN,
    ),
    Misconception(
        "not_averaged",
        "One loss for each row comes back; their mean, a single number, was promised.",
        _MEAN,
    ),
    Misconception(
        "no_shift",
        "There is no shift before exp: right for small logits, inf or nan for large ones.",
        "Which function gives the logarithm of a sum of exponentials without overflow?",
        ways=("no_shift_of_shares",),
    ),
    Misconception(
        "log_of_softmax",
        "The logarithm is taken of the finished softmax: where a chance rounds to 0, the loss "
        "becomes inf.",
        _LOG,
    ),
    Misconception(
        "twice",
        "A softmax is applied twice: the loss takes chances for logits, so even a perfect answer "
        "costs something and learning is slow.",
        "What does the loss expect: logits or chances?",
    ),
    Misconception(
        "no_log",
        "The logarithm is missing: minus the chance of the right label comes back.",
        "What is the surprise of a chance of 1, and of a chance near 0?",
    ),
    Misconception(
        "logit_itself",
        "The logits are used as if they were log-chances: nothing is normalised, and the loss can "
        "be negative without bound.",
        "What turns logits into chances?",
    ),
    Misconception(
        "negative",
        "The sign is missing: the loss grows as the answers get better.",
        "What is the loss of a sure and right answer, and can it be negative?",
    ),
    Misconception(
        "over_batch",
        "The softmax runs over the batch instead of the labels: the sentences compete with each "
        "other.",
        "Which entries are the chances of one sentence, and what do they sum to?",
    ),
    Misconception(
        "by_all",
        "It is averaged over all entries, labels too: the loss is too small by the number of "
        "labels.",
        _MEAN,
    ),
    Misconception(
        "by_labels",
        "The sum is divided by the number of labels instead of the number of rows.",
        _MEAN,
    ),
    Misconception(
        "base_two",
        "The logarithm has base 2 instead of e: the loss is in bits.",
        "What is the loss of a fair coin here, 1 or 0.693?",
    ),
    Misconception(
        "own_choice",
        "The label is ignored: the chance of the model's own favourite is taken, right or wrong.",
        "What changes in your result when the labels change?",
    ),
    Misconception(
        "every_pair",
        "Every row is charged with every label of the batch, not with its own alone: an indexing "
        "that takes whole columns.",
        "What shape does logits[:, labels] have?",
    ),
    Misconception(
        "first_column",
        "The chance of label 0 is taken in every row.",
        "What changes in your result when the labels change?",
    ),
    Misconception(
        "labels_one_too_low",
        "The labels are counted from 1: every row is charged with the label before its own.",
        "Which column belongs to label 0?",
    ),
    Misconception(
        "binary",
        "This is a binary cross-entropy for each label by itself: the labels do not compete.",
        "Must the chances of the labels sum to 1?",
    ),
    Misconception(
        "squared",
        "This is a squared error between chances and one-hot labels, not a cross-entropy.",
        "What is the surprise of a chance near 0?",
    ),
    Misconception(
        "smoothed",
        "The labels are smoothed: a part of the loss is charged for all other labels.",
        "Which chance alone should count?",
    ),
    Misconception(
        "global_max",
        "The maximum of the whole batch is subtracted from every row: rows far below it vanish, "
        "and the logarithm of 0 is −inf.",
        "What is left of the row 0, 1, 2 after 500 is subtracted?",
    ),
    Misconception(
        "shift_not_returned",
        "The largest logit is subtracted inside the exponentials and never added back.",
        "By how much does log Σ exp change when all logits are shifted?",
    ),
    Misconception(
        "sum_of_logits",
        "The plain sum of the logits is subtracted, without exp and log.",
        "What turns logits into chances?",
    ),
    Misconception(
        "largest", "The largest loss of the batch comes back instead of the mean.", _MEAN
    ),
    Misconception("first_alone", "Only the first row's loss comes back.", _MEAN),
    Misconception(
        "plain_number",
        "A Python number comes back: the gradient's way ends there, and nothing can be trained.",
        "What does .item() leave behind?",
    ),
    Misconception("one_axis", "The value is right, but it still has an axis of length 1.", _MEAN),
    Misconception(
        "double",
        "The value is right but comes back as float64.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "detached",
        "The value is right, but no gradient reaches the logits.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
    *(
        Misconception(
            name,
            "A small constant is added to the chance before the logarithm: no inf any more, but a "
            "sure mistake costs too little.",
            "What should a mistake cost that the model was sure of by 300?",
        )
        for name in CONSTANTS
    ),
    *(
        Misconception(
            name,
            "The chances are clamped from below before the logarithm: a very sure mistake costs "
            "too little, and no gradient tells the model.",
            "What should a mistake cost that the model was sure of by 300?",
        )
        for name in CLAMPS
    ),
    *(
        Misconception(
            name,
            "A tiny number keeps the chances away from 0 before the logarithm: no inf any more, "
            "but a very sure mistake costs too little, and no gradient tells the model.",
            "What should a mistake cost that the model was sure of by 300?",
        )
        for name in TINY
    ),
)

SUBJECTS = (
    FunctionSubject("cross_entropy", cross_entropy, probes, MISCONCEPTIONS),
    training.SUBJECT,
)
ENTRIES = {"train_step": "grader_train_steps"}
