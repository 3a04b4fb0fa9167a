"""Known wrong turns of the loss of a model that writes: what is asked where, and the mean."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def next_token_loss(logits: Tensor, input_ids: Tensor, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "in_place" in on:
        logits.sub_(logits.amax(-1, keepdim=True))
    if "detached" in on:
        logits = logits.detach()
    if "twice" in on:
        logits = logits.softmax(-1)
    if "positions_for_pieces" in on:  # the axes that F.cross_entropy wants, made by a reshape
        shape = (len(logits), logits.shape[-1], logits.shape[1] - 1)
        return F.cross_entropy(logits[:, :-1].reshape(shape), input_ids[:, 1:])
    guesses, goals = _paired(logits, input_ids, on)
    if "padding_left_out" in on:
        return F.cross_entropy(guesses.flatten(0, -2), goals.flatten(), ignore_index=0)
    if "smoothed" in on:
        return F.cross_entropy(guesses.flatten(0, -2), goals.flatten(), label_smoothing=0.1)
    chances = _log_chances(guesses, on)
    losses = -chances.gather(-1, goals.unsqueeze(-1)).squeeze(-1)  # [batch, seq − 1]
    return _reduced(losses, logits, on)


def _paired(logits: Tensor, ids: Tensor, on: Switches) -> tuple[Tensor, Tensor]:
    """Which logits are asked for which token."""
    ways = {
        "not_shifted": (logits, ids),
        "not_shifted_first": (logits[:, :-1], ids[:, :-1]),
        "not_shifted_last": (logits[:, 1:], ids[:, 1:]),
        "backwards": (logits[:, 1:], ids[:, :-1]),
        "two_ahead": (logits[:, :-2], ids[:, 2:]),
        "around": (logits, ids.roll(-1, 1)),
        "around_all": (logits, ids.flatten().roll(-1).view_as(ids)),
        "around_backwards": (logits, ids.roll(1, 1)),
        "across": (logits.flatten(0, 1)[None, :-1], ids.flatten()[None, 1:]),
        "other_sentence": (logits[:-1], ids[1:]),
        "last_guess_lost": (logits[:, :-2], ids[:, 1:-1]),
        "first_guess_lost": (logits[:, 1:-1], ids[:, 2:]),
        "last_alone": (logits[:, -2:-1], ids[:, -1:]),
        "first_sentence": (logits[:1, :-1], ids[:1, 1:]),
        "favourites": (logits[:, :-1], logits[:, :-1].argmax(-1)),
    }
    for switch, pair in ways.items():
        if switch in on:
            return pair
    return logits[:, :-1], ids[:, 1:]


def _log_chances(logits: Tensor, on: Switches) -> Tensor:
    dim = 1 if "over_positions" in on else 0 if "over_batch" in on else -1
    if "logit_itself" in on:
        return logits
    if "no_log" in on:
        return logits.softmax(dim)
    if "log_of_softmax" in on:
        return logits.softmax(dim).log()
    if "with_constant" in on:
        return (logits.softmax(dim) + 1e-9).log()
    if "no_shift" in on:
        return logits - logits.exp().sum(dim, keepdim=True).log()
    chances = logits.log_softmax(dim)
    return chances / math.log(2) if "base_two" in on else chances


def _reduced(losses: Tensor, logits: Tensor, on: Switches) -> Any:
    if "negative" in on:
        losses = -losses
    if "not_averaged" in on:
        return losses
    if "one_for_each" in on:
        return losses.mean(-1)
    if "summed" in on:
        return losses.sum()
    if "summed_along" in on:
        return losses.sum(-1).mean()
    if "by_all_positions" in on:
        return losses.sum() / (logits.shape[0] * logits.shape[1])
    if "perplexity" in on:
        return losses.mean().exp()
    if "plain_number" in on:
        return losses.mean().item()
    return losses.mean().unsqueeze(0) if "one_axis" in on else losses.mean()


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, one sentence alone, and logits that only a stable one survives."""

    def probe(batch: int, seq: int, vocab: int, **more: Any) -> Probe:
        logits = torch.randn(batch, seq, vocab, generator=generator) * 2
        ids = torch.randint(vocab, (batch, seq), generator=generator)
        ids[0, 1] = 0
        return Probe((logits, ids), **more)

    large = torch.tensor([[[500.0, 501.0, 0.0], [0.0, 1.0, 2.0], [-900.0, 0.0, 3.0]]])
    sure = torch.tensor([[[300.0, 0.0, 1.0], [0.0, -200.0, 2.0], [1.0, 1.0, 0.0]]])
    return (
        probe(3, 5, 7, gradient=True),
        probe(2, 7, 4),
        probe(4, 3, 6),
        probe(1, 6, 5, label="one sentence"),
        probe(4, 4, 4, label="all sizes equal"),
        Probe((large, torch.tensor([[2, 0, 2]])), label="large logits"),
        Probe((sure, torch.tensor([[0, 1, 1]])), label="very sure"),
    )


_WHICH = "Which token do the logits at the first position have to guess, and which the last ones?"
_MEAN = "Over how many guesses is the mean taken?"
_LOG = "What does the loss expect: logits or chances?"
_STABLE = "What is exp(500), and what is the logarithm of a chance that was rounded to 0?"
MISCONCEPTIONS = (
    Misconception(
        "not_shifted",
        "Nothing is shifted: each position is asked for the token that it has before its eyes, and "
        "copying costs nothing.",
        _WHICH,
        ways=("not_shifted_first", "not_shifted_last"),
    ),
    Misconception(
        "backwards",
        "It is shifted the wrong way: each position is asked for the token before it.",
        _WHICH,
        ways=("around_backwards",),
    ),
    Misconception("two_ahead", "It is shifted twice: the next token but one is asked for.", _WHICH),
    Misconception(
        "around",
        "It is shifted in a circle: the last position is asked for a token that does not follow "
        "it.",
        _WHICH,
        ways=("around_all",),
    ),
    Misconception(
        "across",
        "The sentences are joined before they are shifted: the end of one is asked for the start "
        "of the next.",
        "In a batch of 3 sentences of 6 tokens, how many guesses are there?",
    ),
    Misconception(
        "other_sentence",
        "It is shifted along the batch: each sentence is asked for the tokens of the next one.",
        "Which axis is the one of the tokens?",
    ),
    Misconception(
        "positions_for_pieces",
        "Positions and pieces are mixed: a reshape cannot exchange two axes.",
        "Which operation exchanges two axes, and which only reads the same numbers in other rows?",
    ),
    Misconception("last_guess_lost", "The last guess is left out.", _MEAN),
    Misconception("first_guess_lost", "The first guess is left out.", _MEAN),
    Misconception("last_alone", "Only the last token of each sentence is asked for.", _MEAN),
    Misconception("first_sentence", "Only the first sentence counts.", _MEAN),
    Misconception(
        "favourites",
        "The tokens are ignored: the model's own favourites are taken for right.",
        "What changes in your result when the tokens change?",
    ),
    Misconception("summed", "The losses are summed: twice the text, twice the loss.", _MEAN),
    Misconception(
        "summed_along",
        "The losses are summed along each sentence: the longer, the larger.",
        _MEAN,
    ),
    Misconception(
        "by_all_positions",
        "The sum is divided by the number of tokens; there is one guess less in each sentence.",
        _MEAN,
    ),
    Misconception(
        "not_averaged",
        "One loss for each guess comes back; their mean, a single number, was promised.",
        _MEAN,
    ),
    Misconception("one_for_each", "One loss for each sentence comes back.", _MEAN),
    Misconception(
        "padding_left_out",
        "Tokens with id 0 are left out; here nothing is padded, and 0 is a token like others.",
        "Does the contract say that some id means nothing?",
    ),
    Misconception(
        "over_positions",
        "The softmax runs over the positions instead of the pieces.",
        "Which chances must sum to 1?",
    ),
    Misconception(
        "over_batch",
        "The softmax runs over the batch instead of the pieces.",
        "Which chances must sum to 1?",
    ),
    Misconception("twice", "A softmax is applied twice: chances are taken for logits.", _LOG),
    Misconception("no_log", "The logarithm is missing: minus a chance comes back.", _LOG),
    Misconception(
        "logit_itself", "The logits are used as if they were logarithms of chances.", _LOG
    ),
    Misconception(
        "negative",
        "The sign is missing: the loss grows as the guesses get better.",
        "What is the loss of a sure and right guess?",
    ),
    Misconception(
        "base_two",
        "The logarithm has base 2 instead of e.",
        "What is the loss of a fair coin here, 1 or 0.693?",
    ),
    Misconception(
        "perplexity",
        "The exponential of the loss comes back, which is called perplexity.",
        "What should the loss be of a model that is sure and right: 0 or 1?",
    ),
    Misconception(
        "smoothed",
        "The goals are smoothed: a part of the loss is charged for all other pieces.",
        "Which chance alone should count?",
    ),
    Misconception(
        "no_shift", "There is no shift before exp: large logits give inf or nan.", _STABLE
    ),
    Misconception(
        "log_of_softmax",
        "The logarithm is taken of the finished softmax: where a chance rounds to 0, the loss "
        "becomes inf.",
        _STABLE,
    ),
    Misconception(
        "with_constant",
        "A small constant is added to the chance before the logarithm: a sure mistake costs too "
        "little.",
        _STABLE,
    ),
    Misconception(
        "plain_number",
        "A Python number comes back: no gradient can flow through it.",
        "What does .item() leave behind?",
    ),
    Misconception("one_axis", "The value is right, but it still has an axis of length 1.", _MEAN),
    Misconception(
        "in_place",
        "The value is right, but the logits that were given are changed in place.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception(
        "detached",
        "The value is right, but no gradient reaches the logits.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECT = FunctionSubject("next_token_loss", next_token_loss, probes, MISCONCEPTIONS)
