"""Rows that tell wrong ideas about the sealed machines apart."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Six letters, few and many different ones; other lengths; tokens beyond the letters."""

    def probe(batch: int, seq: int, most: int) -> Probe:
        return Probe((torch.randint(most, (batch, seq), generator=generator),))

    sizes = ((20, 6, 10), (20, 6, 3), (3, 5, 10), (4, 9, 10), (5, 1, 10), (3, 8, 40), (2, 2, 4))
    return tuple(probe(*size) for size in sizes)


SUBJECTS = tuple(FunctionSubject(f"sealed_{letter}", probes) for letter in "abc")
