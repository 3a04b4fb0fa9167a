"""Inputs of split_heads and merge_heads that tell their wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def split_probes(generator: Generator) -> tuple[Probe, ...]:
    """Every number once; sizes pairwise different, then some that coincide; 64 bits."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 20), 4), gradient=True),
        Probe((draw(3, 7, 12), 6)),
        Probe((draw(2, 4, 16), 4), label="as many tokens as heads as features in a head"),
        Probe((draw(2, 6, 6), 3), label="a sequence that can be cut as well"),
        Probe((draw(2, 3, 5), 1), label="one head"),
        Probe((draw(2, 3, 6).double() / 3, 2), label="float64", aside=True),
    )


def merge_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then some that coincide."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 4, 3, 5),), gradient=True),
        Probe((draw(3, 2, 7, 6),)),
        Probe((draw(2, 4, 4, 4),), label="as many heads as tokens as features"),
        Probe((draw(2, 1, 3, 5),), label="one head"),
    )


SUBJECTS = (
    FunctionSubject("split_heads", split_probes),
    FunctionSubject("merge_heads", merge_probes),
)
