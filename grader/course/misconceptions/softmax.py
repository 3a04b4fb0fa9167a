"""Inputs of softmax that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def extreme_rows() -> Tensor:
    """Rows far from 0 and from each other: each overflows or vanishes under some wrong shift."""
    rows = [[500.0, 501.0, 499.0], [0.0, 1.0, -1.0], [-500.0, -501.0, -498.0], [120.0, 0.0, -120.0]]
    return torch.tensor([rows, [[-200.0, -201.0, -203.0], [90.0, 0.0, 89.0], rows[1], rows[0]]])


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Every axis, sizes pairwise different, a cube, and rows that only the right shift survives."""
    draw = standard_normal(generator)
    cube = draw(3, 3, 3)
    return (
        Probe((draw(2, 3, 5), -1), label="the last dimension", gradient=True),
        Probe((draw(2, 3, 5), 1), label="a middle dimension"),
        Probe((draw(4, 2, 3), 0), label="the first dimension"),
        Probe((cube, 2)),
        Probe((cube, 0)),
        Probe((cube, -2)),
        Probe((draw(3, 4), 0), label="two dimensions"),
        Probe((draw(6), 0), label="one dimension only"),
        Probe((extreme_rows(), -1), label="large numbers"),
        Probe((extreme_rows().transpose(1, 2).contiguous(), 1), label="large numbers, dim 1"),
    )


SUBJECTS = (FunctionSubject("softmax", probes),)
