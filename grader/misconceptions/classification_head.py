"""Known wrong turns of the loss: what is averaged, what goes into the logarithm, and stability."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from . import training
from .subject import FunctionSubject, Probe, Switches

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


SUBJECTS = (
    FunctionSubject("cross_entropy", cross_entropy, probes),
    training.SUBJECT,
)
ENTRIES = {"train_step": "grader_train_steps"}
