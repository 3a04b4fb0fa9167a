"""Inputs of functions of a few tensors that tell their wrong turns apart; it has no formula."""

from typing import Any

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def vector_probes(generator: Generator) -> tuple[Probe, ...]:
    """Pairwise different sizes, a square one, a single token."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 5, 3),), gradient=True),
        Probe((draw(4, 3, 7),)),
        Probe((draw(3, 3, 3),), label="all sizes equal"),
        Probe((draw(1, 6, 2),)),
    )


def embed_probes(generator: Generator) -> tuple[Probe, ...]:
    """Vocabularies with and without their last id in use; a square table; the table's gradient."""
    draw = standard_normal(generator)
    ids = torch.randint(0, 10, (2, 4), generator=generator)
    return (
        Probe((torch.tensor([[3, 0, 8], [1, 3, 2]]), draw(11, 5)), gradient=True),
        Probe((ids, draw(13, 3))),
        Probe((torch.tensor([[0, 4, 2], [1, 3, 4]]), draw(5, 5)), label="a square table"),
        Probe((torch.tensor([[6, 0, 1], [2, 6, 5]]), draw(7, 4)), label="the last id in use"),
        Probe((ids, draw(10, 3).double()), label="float64", aside=True),
    )


def wave_probes(generator: Generator) -> tuple[Probe, ...]:
    """Small sizes, so that even wrong frequencies come out alike everywhere; a long table last."""
    sizes = ((5, 6), (6, 4), (4, 10), (3, 2))
    return (*map(Probe, sizes), Probe((600, 2), aside=True))


def score_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then the coincidences under which a wrong axis raises no error."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 7), draw(2, 5, 7)), label="all sizes different", gradient=True),
        Probe((draw(3, 6, 4), draw(3, 2, 4))),
        Probe((draw(2, 5, 3), draw(2, 5, 3)), label="as many queries as keys"),
        Probe((draw(4, 4, 4), draw(4, 4, 4)), label="all sizes equal"),
        Probe((draw(2, 4, 4), draw(2, 4, 4)), label="as many keys as features"),
    )


def padding_probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, a square one; the first row is padded."""
    bits = torch.randint(0, 2, (3, 5), generator=generator)
    bits[:, 0] = 1
    bits[0, -1] = 0
    bits[1, -1] = 1
    return (
        Probe((torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]]),)),
        Probe((bits,)),
        Probe((bits.bool(),), label="a bool mask"),
        Probe((torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0]]),), label="as many rows as tokens"),
        Probe((torch.ones(4, 2, dtype=torch.int64),), label="nothing is padded"),
    )


def causal_probes(generator: Generator) -> tuple[Probe, ...]:
    """A few lengths, 1 among them, and a long one."""
    return (*(Probe((length,)) for length in (4, 1, 7, 2)), Probe((600,), aside=True))


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


def gelu_probes(generator: Generator) -> tuple[Probe, ...]:
    """Ordinary numbers, the places where approximations are worst, and a few axes."""
    draw = standard_normal(generator)
    telling = torch.tensor([-2.7, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.7, 3.5, -3.5, 4.1, -4.1])
    return (
        Probe((telling,), label="telling numbers"),
        Probe((draw(3, 5) * 2,), gradient=True),
        Probe((draw(2, 3, 4),)),
        Probe((torch.tensor([[-12.0, 12.0], [-30.0, 30.0]]),), label="large numbers"),
    )


def next_token_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, one sentence alone, and logits that only a stable one survives."""

    def probe(batch: int, seq: int, vocab: int, **more: Any) -> Probe:
        logits = torch.randn(batch, seq, vocab, generator=generator) * 2
        ids = torch.randint(vocab, (batch, seq), generator=generator)
        ids[0, 1] = 0
        return Probe((logits, ids), **more)

    large = torch.tensor([[[500.0, 501.0, 0.0], [0.0, 1.0, 2.0], [-900.0, 0.0, 3.0]]])
    sure = torch.tensor([[[300.0, 0.0, 1.0], [0.0, -200.0, 2.0], [1.0, 1.0, 0.0]]])
    return (
        probe(3, 5, 7, gradient=True),
        probe(2, 7, 4),
        probe(4, 3, 6),
        probe(1, 6, 5, label="one sentence"),
        probe(4, 4, 4, label="all sizes equal"),
        Probe((large, torch.tensor([[2, 0, 2]])), label="large logits"),
        Probe((sure, torch.tensor([[0, 1, 1]])), label="very sure"),
    )


SUBJECTS = (
    FunctionSubject("sentence_vector", vector_probes),
    FunctionSubject("embed_one_hot", embed_probes),
    FunctionSubject("sinusoidal_encoding", wave_probes, 2e-3),
    FunctionSubject("attention_scores", score_probes),
    FunctionSubject("padding_mask", padding_probes),
    FunctionSubject("causal_mask", causal_probes),
    FunctionSubject("split_heads", split_probes),
    FunctionSubject("merge_heads", merge_probes),
    FunctionSubject("gelu", gelu_probes),
    FunctionSubject("next_token_loss", next_token_probes),
)
