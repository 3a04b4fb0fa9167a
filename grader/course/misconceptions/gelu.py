"""Inputs of gelu that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary numbers, the places where approximations are worst, and a few axes."""
    draw = standard_normal(generator)
    telling = torch.tensor([-2.7, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.7, 3.5, -3.5, 4.1, -4.1])
    return (
        Probe((telling,), label="telling numbers"),
        Probe((draw(3, 5) * 2,), gradient=True),
        Probe((draw(2, 3, 4),)),
        Probe((torch.tensor([[-12.0, 12.0], [-30.0, 30.0]]),), label="large numbers"),
    )


SUBJECTS = (FunctionSubject("gelu", probes),)
