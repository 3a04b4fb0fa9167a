"""Inputs of sentence_vector that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Pairwise different sizes, a square one, a single token."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 5, 3),), gradient=True),
        Probe((draw(4, 3, 7),)),
        Probe((draw(3, 3, 3),), label="all sizes equal"),
        Probe((draw(1, 6, 2),)),
    )


SUBJECTS = (FunctionSubject("sentence_vector", probes),)
