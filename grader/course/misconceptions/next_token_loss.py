"""Inputs of next_token_loss that tell its wrong turns apart; it has no formula."""

from typing import Any

import torch
from torch import Generator

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe


def probes(generator: Generator) -> tuple[Probe, ...]:
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


SUBJECTS = (FunctionSubject("next_token_loss", probes),)
