"""Inputs of chapter 02's functions that tell wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def embed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vocabularies with and without their last id in use; a square table; the table's gradient."""
    draw = standard_normal(generator)
    ids = torch.randint(0, 10, (2, 4), generator=generator)
    return (
        Probe((torch.tensor([[3, 0, 8], [1, 3, 2]]), draw(11, 5)), gradient=True),
        Probe((ids, draw(13, 3))),
        Probe((torch.tensor([[0, 4, 2], [1, 3, 4]]), draw(5, 5)), label="a square table"),
        Probe((torch.tensor([[6, 0, 1], [2, 6, 5]]), draw(7, 4)), label="the last id in use"),
        Probe((ids, draw(10, 3).double()), label="float64", aside=True),
    )


def wave_probes(generator: Generator) -> tuple[Probe, ...]:
    """Small sizes, so that even wrong frequencies come out alike everywhere; a long table last."""
    sizes = ((5, 6), (6, 4), (4, 10), (3, 2))
    return (*map(Probe, sizes), Probe((600, 2), aside=True))


SUBJECTS = (
    FunctionSubject("embed_one_hot", embed_probes),
    FunctionSubject("sinusoidal_encoding", wave_probes, 2e-3),
)
