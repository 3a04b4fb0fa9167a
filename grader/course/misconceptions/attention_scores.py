"""Inputs of attention_scores that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then the coincidences under which a wrong axis raises no error."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 7), draw(2, 5, 7)), label="all sizes different", gradient=True),
        Probe((draw(3, 6, 4), draw(3, 2, 4))),
        Probe((draw(2, 5, 3), draw(2, 5, 3)), label="as many queries as keys"),
        Probe((draw(4, 4, 4), draw(4, 4, 4)), label="all sizes equal"),
        Probe((draw(2, 4, 4), draw(2, 4, 4)), label="as many keys as features"),
    )


SUBJECTS = (FunctionSubject("attention_scores", probes),)
