"""Inputs of scaled_dot_product_attention that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal
from .masked_softmax import masks


def probes(generator: Generator) -> tuple[Probe, ...]:
    """With and without masks, sizes pairwise different, and coincidences that hide wrong axes."""
    draw = standard_normal(generator)
    padding, each = masks(2, 3, 5, generator)
    _, square = masks(3, 4, 4, generator)
    square[:, torch.arange(4), torch.arange(4)] = 1
    low_query, low_key = draw(2, 3, 4).abs() + 1, -draw(2, 5, 4).abs() - 1
    sharp = torch.tensor([[[12.0, 0, 0, 0], [0, 12.0, 0, 0], [1, 0, 0, 0]]])
    spread = torch.tensor([[[40.0, -40, 3, 1], [38, 20, 0, 0], [-39, 30, 5, 2], [36, -9, 1, 4]]])
    sunk = torch.tensor([[[200.0, 0, 0, 0]] * 2]), torch.tensor([[[-200.0, 1, 0, 0]] * 3])
    sunk_mask = torch.tensor([[[1, 1, 0]]])
    loud_key = torch.tensor([[[0.1, 1, 0, 0], [-0.2, 0, 1, 0], [2.8, 0, 0, 1]]])
    loud = torch.tensor([[[10.0, 0, 0, 0]] * 2]), loud_key
    low = torch.tensor([[[10.0, 0, 0, 0]] * 2]), torch.tensor([[[-19.4, 1, 0, 0]] * 3])
    deep = torch.tensor([[[50.0, 0, 0, 0]] * 2]), torch.tensor([[[-60.0, 1, 0, 0]] * 3])
    return (
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7)), gradient=True),
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7), padding), gradient=True),
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7), each.bool())),
        Probe((draw(3, 4, 4), draw(3, 4, 4), draw(3, 4, 4)), label="all sizes equal"),
        Probe((draw(3, 4, 6), draw(3, 4, 6), draw(3, 4, 6), square), label="self-attention"),
        Probe((draw(3, 4, 4), draw(3, 4, 4), draw(3, 4, 4), square.bool())),
        Probe(
            (draw(2, 4, 6), draw(2, 4, 6), draw(2, 4, 3), torch.ones(2, 4, 4).tril().long()),
            label="the future is hidden",
        ),
        Probe((low_query * 3, low_key * 3, draw(2, 5, 7), each), label="low scores"),
        Probe((*loud, draw(1, 3, 5), sunk_mask), label="a high score that is hidden"),
        Probe((sharp, spread, draw(1, 4, 3)), label="high scores"),
        Probe((*low, draw(1, 3, 5), sunk_mask), label="scores near −100"),
        Probe((*deep, draw(1, 3, 5), sunk_mask), label="scores of −1500"),
        Probe((*sunk, draw(1, 3, 5), sunk_mask), label="scores of −20000"),
    )


SUBJECTS = (FunctionSubject("scaled_dot_product_attention", probes),)
