"""Inputs of chapter 03's functions that tell wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def score_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then the coincidences under which a wrong axis raises no error."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 7), draw(2, 5, 7)), label="all sizes different", gradient=True),
        Probe((draw(3, 6, 4), draw(3, 2, 4))),
        Probe((draw(2, 5, 3), draw(2, 5, 3)), label="as many queries as keys"),
        Probe((draw(4, 4, 4), draw(4, 4, 4)), label="all sizes equal"),
        Probe((draw(2, 4, 4), draw(2, 4, 4)), label="as many keys as features"),
    )


def padding_probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, a square one; the first row is padded."""
    bits = torch.randint(0, 2, (3, 5), generator=generator)
    bits[:, 0] = 1
    bits[0, -1] = 0
    bits[1, -1] = 1
    return (
        Probe((torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]]),)),
        Probe((bits,)),
        Probe((bits.bool(),), label="a bool mask"),
        Probe((torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0]]),), label="as many rows as tokens"),
        Probe((torch.ones(4, 2, dtype=torch.int64),), label="nothing is padded"),
    )


def causal_probes(generator: Generator) -> tuple[Probe, ...]:
    """A few lengths, 1 among them, and a long one."""
    return (*(Probe((length,)) for length in (4, 1, 7, 2)), Probe((600,), aside=True))


SUBJECTS = (
    FunctionSubject("attention_scores", score_probes),
    FunctionSubject("padding_mask", padding_probes),
    FunctionSubject("causal_mask", causal_probes),
)
