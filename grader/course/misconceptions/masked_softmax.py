"""Inputs of masked_softmax that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def masks(batch: int, query: int, key: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """[batch, 1, key] and [batch, query, key]; first and last row differ, none is empty."""
    padding = torch.ones(batch, 1, key, dtype=torch.int64)
    padding[0, :, key - 1 :] = 0
    padding[-1, :, :1] = 0
    each = torch.randint(0, 2, (batch, query, key), generator=generator)
    index = torch.arange(query)
    each[:, index, index % key] = 1
    each[:, index, (index + 1) % key] = 0
    return padding, each


def broadcast_masks(query: int, key: int, generator: Generator) -> tuple[Tensor, ...]:
    """One mask for all sentences: [1, 1, key] and [1, query, key], of other integers."""
    padding, each = masks(1, query, key, generator)
    return padding.to(torch.uint8), each.int()


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Both kinds of masks, as integers and bools, square scores, and scores far from 0."""
    draw = standard_normal(generator)
    padding, each = masks(2, 3, 5, generator)
    _, square = masks(3, 4, 4, generator)
    square[:, torch.arange(4), torch.arange(4)] = 1
    low = draw(2, 3, 5) * 0.5 - 8
    far = torch.tensor([[[500.0, 501.0, 499.0, 500.5], [0.0, 1.0, -1.0, 0.5]]])
    loud = torch.tensor([[[0.3, -1.0, 0.5, 14.0]]])
    low_far = torch.tensor([[[-1500.0, -1501.0, -1499.0, -1499.0]]])
    low_hundred = torch.tensor([[[-97.0, -98.0, -99.0, -97.5], [-98.0, -97.0, -99.0, -97.0]]])
    last = torch.tensor([[[1, 1, 1, 0]]])
    alone, first = torch.tensor([[[-10.5, -10.0, -11.0, -9.0]]]), torch.tensor([[[1, 0, 0, 0]]])
    return (
        Probe((draw(2, 3, 5), padding), label="a mask over keys", gradient=True),
        Probe((draw(2, 3, 5), each.bool()), label="a mask for each query"),
        Probe((draw(3, 4, 4), square), label="as many queries as keys"),
        Probe((draw(3, 4, 4), square.bool()), label="as many queries as keys"),
        Probe((low, each), label="low scores"),
        Probe((alone, first), label="one visible score"),
        Probe((draw(2, 4, 4), torch.ones(2, 4, 4).tril().long()), label="the future is hidden"),
        Probe((loud, last), label="a high score that is hidden"),
        Probe((loud * 20, last), label="a hidden score far above"),
        Probe((far, last), label="high scores"),
        Probe((low_hundred, last), label="scores near −100"),
        Probe((low_far, last.bool()), label="very low scores"),
        Probe((torch.tensor([[[-2e4, -20001.0, -20003.0, -2e4]]]), last), label="scores of −20000"),
    )


SUBJECTS = (FunctionSubject("masked_softmax", probes),)
