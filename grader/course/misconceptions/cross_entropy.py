"""Inputs of cross_entropy that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


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


SUBJECTS = (FunctionSubject("cross_entropy", probes),)
