"""Inputs of sequence_log_prob that tell its wrong turns apart; it has no formula."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Texts of several lengths, padding of several ids, and scores that overflow."""
    draw = standard_normal(generator)
    large = torch.zeros(1, 3, 4)
    large[0, :, 1], large[0, 1, 2] = 1000, 1001
    unlikely = torch.tensor([[[0.0, -200.0, 1.0], [-300.0, 2.0, 0.0]]])

    def texts(lengths: list[int], seq: int, vocab: int, pad_id: int) -> Tensor:
        ids = torch.randint(vocab, (len(lengths), seq), generator=generator)
        ids[ids == pad_id] = (pad_id + 1) % vocab
        for row, length in zip(ids, lengths, strict=True):
            row[length:] = pad_id
        return ids

    return (
        Probe((draw(3, 5, 7), texts([5, 3, 1], 5, 7, 0), 0), gradient=True),
        Probe((draw(2, 4, 6) * 3, texts([4, 2], 4, 6, 5), 5), label="padding is the last id"),
        Probe((draw(4, 3, 5), texts([3, 3, 3, 3], 3, 5, 2), 2), label="no padding"),
        Probe((large, torch.tensor([[1, 1, 2]]), 0), label="large scores"),
        Probe((unlikely, torch.tensor([[1, 0]]), 2), label="unlikely tokens"),
        Probe((draw(2, 3, 4), texts([3, 0], 3, 4, 0), 0), label="padding alone"),
        Probe((draw(1, 4, 5), torch.tensor([[0, 3, 0, 1]]), 0), label="padding in front"),
    )


SUBJECTS = (FunctionSubject("sequence_log_prob", probes),)
