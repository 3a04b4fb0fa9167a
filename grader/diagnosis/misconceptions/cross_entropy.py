"""cross_entropy with its wrong turns: what is averaged, what the logarithm gets, stability."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from .function_subject import FunctionSubject, Probe, standard_normal
from .losses import log_chances, reduced
from .switches import NONE, Switches, chosen

# Other losses, from logits and labels.
INSTEAD: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "squared": lambda x, labels: (x.softmax(-1) - F.one_hot(labels, x.shape[-1])).square().mean(),
    "binary": lambda x, labels: F.binary_cross_entropy_with_logits(
        x, F.one_hot(labels, x.shape[-1]).to(x.dtype)
    ),
    "smoothed": lambda x, labels: F.cross_entropy(x, labels, label_smoothing=0.1),
}


def cross_entropy(logits: Tensor, labels: Tensor, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "labels_one_too_low" in on:
        labels = (labels - 1) % logits.shape[-1]
    if "own_choice" in on:
        labels = logits.argmax(-1)
    if "softmax_twice" in on:
        logits = logits.softmax(-1)
    instead = chosen(INSTEAD, on, None)
    if instead is not None:
        return instead(logits, labels)
    chances = log_chances(logits, on)
    if "every_pair" in on:
        return -chances[:, labels].mean()
    if "first_column" in on:
        return -chances[:, 0].mean()
    losses = -chances.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return reduced(losses, logits, on)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary logits, then logits on which only a stable formulation survives."""
    draw = standard_normal(generator)
    large = torch.tensor([[500.0, 501.0, 0.0], [0.0, 1.0, 2.0]])
    very_sure = torch.tensor([[300.0, 0.0], [0.0, -200.0]])
    return (
        Probe((draw(3, 5) * 2, torch.tensor([4, 0, 2])), gradient=True),
        Probe((draw(4, 3), torch.tensor([1, 1, 0, 2]))),
        Probe((draw(2, 2), torch.tensor([1, 0])), label="two labels"),
        Probe((large, torch.tensor([0, 2])), label="large logits"),
        Probe((torch.tensor([[12.0, 0.0], [0.0, -11.0]]), torch.tensor([1, 1])), label="mistakes"),
        Probe((torch.tensor([[30.0, 0.0], [0.0, -28.0]]), torch.tensor([1, 1])), label="sure ones"),
        Probe((very_sure, torch.tensor([1, 0])), label="very sure"),
    )


SUBJECTS = (FunctionSubject("cross_entropy", cross_entropy, probes),)
