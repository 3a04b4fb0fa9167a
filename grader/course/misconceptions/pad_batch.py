"""Inputs of pad_batch that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def probes(generator: Generator) -> tuple[Probe, ...]:
    """The longest first, last and in between; the padding's id among the real ones."""
    return (
        Probe(([[5, 6, 7], [8]], 0)),
        Probe(([[5], [8, 9, 10, 11], [12, 13]], 3)),
        Probe(([[4, 0, 6], [0, 8], [9, 3, 0, 2, 0]], 0), label="real tokens with the padding's id"),
        Probe(([[1, 2], [3, 4]], 7), label="nothing to pad"),
        Probe(([[1, 2, 3], [3, 4, 3]], 3), label="nothing to pad"),
    )


SUBJECTS = (FunctionSubject("pad_batch", probes),)
