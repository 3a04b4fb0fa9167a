"""Inputs of sinusoidal_encoding that tell its wrong turns apart; it has no formula."""

from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def wave_probes(generator: Generator) -> tuple[Probe, ...]:
    """Small sizes, so that even wrong frequencies come out the same in every formulation."""
    return (Probe((5, 6)), Probe((6, 4)), Probe((4, 10)), Probe((3, 2)))


SUBJECTS = (FunctionSubject("sinusoidal_encoding", wave_probes, 2e-3),)
