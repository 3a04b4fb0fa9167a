"""Inputs of chapter 04 that tell wrong turns apart; it has no formula."""

import itertools
from collections.abc import Iterator, Sequence

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal
from ...marking.inputs import large


def extreme_rows() -> Tensor:
    """Rows far from 0 and from each other: each overflows or vanishes under some wrong shift."""
    rows = [[500.0, 501.0, 499.0], [0.0, 1.0, -1.0], [-500.0, -501.0, -498.0], [120.0, 0.0, -120.0]]
    return torch.tensor([rows, [[-200.0, -201.0, -203.0], [90.0, 0.0, 89.0], rows[1], rows[0]]])


def softmax_probes(generator: Generator) -> tuple[Probe, ...]:
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
        Probe((long_rows(generator), -1), label="long rows of −inf", aside=True),
    )


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


_SHORT = 100  # keys
LONG_ROWS = "beginning", "middle", "end"  # where most entries are hidden


def seen_in_long_rows(size: int) -> Tensor:
    """What is visible in rows [3, size]: the last entries, the first and the last, the first."""
    edge = min(3, size - 1)
    seen = torch.ones(3, size, dtype=torch.int64)
    seen[0, : size - edge] = seen[2, edge:] = seen[1, 1 : size - 1] = 0
    return seen


def long_rows(generator: Generator) -> Tensor:
    """Rows [3, seq] of −inf and a few numbers."""
    size = large(generator)
    row = torch.randn(3, size, generator=generator)
    return row.masked_fill(seen_in_long_rows(size) == 0, -torch.inf)


def long_row_masks(sizes: Sequence[int], generator: Generator) -> tuple[Tensor, ...]:
    """[batch, query, key], where two rows show few keys, and [batch, 1, key], nearly open and not.

    Of the few, the last keys are seen, the first and the last, and the first. Where rows are short,
    the nearly open one is left out.
    """
    batch, query, key = sizes
    padding, each = masks(batch, query, key, generator)
    few = padding.clone()
    each[0, 0], each[-1, -1], few[0] = seen_in_long_rows(key)
    return (each, padding, few) if key > _SHORT else (each, few)


def opened(each: Tensor) -> tuple[Tensor, ...]:
    """Masks [batch, query, key] of which the first query, the last, or a sentence sees all keys."""
    first, last, sentence = each.clone(), each.clone(), each.clone()
    first[:, 0] = last[:, -1] = sentence[0] = 1
    return first, last, sentence


def broadcast_masks(
    batch: int, query: int, key: int, generator: Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """Masks of each shape that broadcasts to scores, and the scores that they are for.

    They have any number of axes, none too, and each axis is whole or 1. One that is the same for
    all keys hides none, or there is a single key. Integers of several sizes, and bools.
    """
    kinds = itertools.cycle((torch.uint8, torch.int32, torch.int64, torch.bool))
    for keys in (key, 1):
        scores = torch.randn(batch, query, keys, generator=generator)
        for sizes in itertools.product((batch, 1), (query, 1), sorted({1, keys})):
            mask = torch.ones(sizes) if sizes[-1] == 1 else masks(*sizes, generator)[1]
            yield scores, mask.to(next(kinds))
            while mask.shape[:1] == (1,):
                mask = mask[0]
                yield scores, mask.to(next(kinds))


def masked_probes(generator: Generator) -> tuple[Probe, ...]:
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
    size = large(generator)
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
        Probe(
            (torch.tensor([[[-19997.0, -19998.0, -2e4, -19997.0]]]), last), label="scores of −20000"
        ),
        Probe((draw(2, 3, 5) * 1e-3, each), label="scores near 0"),
        Probe((loud * 20, last), label="a hidden score far above", gradient=True, aside=True),
        Probe((draw(2, 3, 5), each[0]), label="a mask of two axes", aside=True),
        Probe((draw(2, 3, 5), torch.tensor(True)), label="a mask without axes", aside=True),
        Probe((draw(1, 3, size), seen_in_long_rows(size)), label="long rows", aside=True),
    )


def attention_probes(generator: Generator) -> tuple[Probe, ...]:
    """With and without masks, sizes pairwise different, and coincidences that hide wrong axes."""
    draw = standard_normal(generator)
    padding, each = masks(2, 3, 5, generator)
    _, square = masks(3, 4, 4, generator)
    square[:, torch.arange(4), torch.arange(4)] = 1
    low_query, low_key = draw(2, 3, 4).abs() + 1, -draw(2, 5, 4).abs() - 1
    size = large(generator)
    long = draw(1, 3, 2), draw(1, size, 2), draw(1, size, 2)  # few: changes are tried with it
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
        Probe((*deep, draw(1, 3, 5), sunk_mask * 0 + 1), label="low scores, none of them hidden"),
        Probe((draw(2, 3, 4) * 1e-3, draw(2, 5, 4), draw(2, 5, 7), each), label="scores near 0"),
        Probe((*long, seen_in_long_rows(size).unsqueeze(0)), label="long rows", aside=True),
    )


SUBJECTS = (
    FunctionSubject("softmax", softmax_probes),
    FunctionSubject("masked_softmax", masked_probes),
    FunctionSubject("scaled_dot_product_attention", attention_probes),
)
