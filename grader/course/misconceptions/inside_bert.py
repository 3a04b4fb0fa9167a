"""Inputs of chapter 13's exercises that tell their wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal
from ...diagnosis.tolerances import MODULE


def probe_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vectors far from 0, two sizes of ridge; one question."""
    draw = standard_normal(generator)

    def given(words: int, hidden: int, asked: int, ridge: float) -> Probe:
        labels = (torch.arange(words) % 3 == 0).long()
        return Probe((draw(words, hidden) + 1, labels, draw(asked, hidden), ridge))

    return (given(11, 4, 5, 3.0), given(7, 3, 2, 0.7), given(9, 6, 3, 2.5), given(8, 5, 1, 40.0))


def patch_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different; heads at both ends, between and beyond; sizes that coincide."""
    draw = standard_normal(generator)

    def given(batch: int, seq: int, width: int, head: int, heads: int, gradient: bool) -> Probe:
        return Probe(
            (draw(batch, seq, width), draw(batch, seq, width), head, heads), gradient=gradient
        )

    return (
        given(2, 3, 20, 1, 4, True),
        given(3, 7, 12, 0, 6, False),
        given(2, 5, 18, 2, 3, False),
        given(3, 4, 4, 2, 4, False),
        given(2, 3, 5, 0, 1, False),
        given(2, 3, 8, -1, 4, False),
        given(3, 2, 6, 3, 3, False),
        Probe((draw(3, 2, 8), draw(1, 2, 8), 1, 4)),
        Probe((draw(2, 3, 6).double() / 3, draw(2, 3, 6).double() / 3, 1, 3), aside=True),
        Probe((torch.full((2, 3, 6), 2.0**40), draw(2, 3, 6), 1, 3), rounds=False, aside=True),
    )


def share_probes(generator: Generator) -> tuple[Probe, ...]:
    """Ways up and down, long and short, and none; one axis in front, two and none."""
    draw = standard_normal(generator)

    def given(*shape: int) -> Probe:
        patched, start = draw(*shape), draw(shape[-1])
        way = torch.tensor([2.0, -0.5, 1.5, -1.0, 0.3, 0.7])[: shape[-1]]
        return Probe((patched, start, start + way))

    nowhere = Probe((draw(3, 4), torch.zeros(4), torch.tensor([0.0, 2.0, -0.5, 1.5])))
    far, tiny = torch.tensor([1e3, 0.0, 0.0, 0.0]), torch.tensor([5e-3, 1e-7, 5e-9, 1.0])
    least = 1e-3 * torch.tensor([1.0, -1.0, 1.0, -1.0])
    shortest = Probe((least * draw(3, 4), 0 * least, least), label="the shortest ways")
    short = Probe((far + draw(3, 4), far, far + tiny), label="short ways")
    return given(2, 3, 5), given(4, 6), given(4), given(5, 5), nowhere, short, shortest


SUBJECTS = (
    FunctionSubject("linear_probe", probe_probes, tolerance=MODULE),
    FunctionSubject("patch_head", patch_probes),
    FunctionSubject("share_of_way", share_probes),
)
