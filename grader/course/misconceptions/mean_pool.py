"""Inputs of mean_pool that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, sizes pairwise different and coinciding."""
    draw = standard_normal(generator)
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


SUBJECTS = (FunctionSubject("mean_pool", probes),)
