"""Inputs of sequence_log_prob, and greedy_decode seen through scores; knows no wrong turn."""

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe, standard_normal


def texts(
    generator: Generator, lengths: tuple[int, ...], seq: int, vocab: int, pad_id: int
) -> Tensor:
    """Ids [batch, seq] of texts of these lengths, padded on the right."""
    ids = torch.randint(vocab, (len(lengths), seq), generator=generator)
    ids[ids == pad_id] = (pad_id + 1) % vocab
    for row, length in zip(ids, lengths, strict=True):
        row[length:] = pad_id
    return ids


def text_probes(generator: Generator) -> tuple[Probe, ...]:
    """Texts of several lengths, padding of several ids, and scores that overflow."""
    draw = standard_normal(generator)
    large = torch.zeros(1, 3, 4)
    large[0, :, 1], large[0, 1, 2] = 1000, 1001
    unlikely = torch.tensor([[[0.0, -200.0, 1.0], [-300.0, 2.0, 0.0]]])

    return (
        Probe((draw(3, 5, 7), texts(generator, (5, 3, 1), 5, 7, 0), 0), gradient=True),
        Probe(
            (draw(2, 4, 6) * 3, texts(generator, (4, 2), 4, 6, 5), 5),
            label="padding is the last id",
        ),
        Probe((draw(4, 3, 5), texts(generator, (3, 3, 3, 3), 3, 5, 2), 2), label="no padding"),
        Probe((large, torch.tensor([[1, 1, 2]]), 0), label="large scores"),
        Probe((unlikely, torch.tensor([[1, 0]]), 2), label="unlikely tokens"),
        Probe((draw(2, 3, 4), texts(generator, (3, 0), 3, 4, 0), 0), label="padding alone"),
        Probe((draw(1, 4, 5), torch.tensor([[0, 3, 0, 1]]), 0), label="padding in front"),
    )


# Runs beside the learner's code: scores depend on every id so far and on where it stands.
HARNESS = """
def grader_greedy_decode(table, start_id, end_id, max_length, seen=1_000):
    calls = []

    def step(ids):
        if not isinstance(ids, (list, tuple)):
            raise TypeError(f"step takes a list of ids; it was given {type(ids).__name__}")
        plain = [int(one) for one in ids]
        if len(calls) > 200 + max_length:
            raise RuntimeError(f"step was called {len(calls)} times: decoding does not end")
        calls.append(plain)
        scores = table.new_zeros(table.shape[-1])
        for position, one in enumerate(plain[-seen:], max(len(plain) - seen, 0)):
            scores = scores + table[position % len(table), one]
        return scores

    result = greedy_decode(step, start_id, end_id, max_length)
    kind = type(result).__name__
    ids = list(result) if isinstance(result, (list, tuple)) else []
    plain = all(type(one) is int for one in ids)
    whole = [int(one) if isinstance(one, int) or hasattr(one, "item") else -1 for one in ids]
    return {"ids": whole, "kind": kind, "plain": plain, "calls": len(calls)}
"""


def score_table(generator: Generator, end_id: int, end_at: int, vocab: int = 9) -> Tensor:
    """Random scores under which `end_id` wins at length `end_at`, and nowhere before."""
    table = torch.randn(12, vocab, vocab, generator=generator)
    table[:, :, end_id] = 0
    table[0, :, end_id] = -50
    if end_at:
        table[end_at - 1, :, end_id] = 200
    return table


def decoding_probes(generator: Generator) -> tuple[Probe, ...]:
    """Ends early, late and never; a start that is the end; every length from 1."""
    return (
        Probe((score_table(generator, 4, 5), 2, 4, 10), label="ends by itself"),
        Probe((score_table(generator, 3, 0), 1, 3, 7), label="stopped by the length"),
        Probe((score_table(generator, 6, 3), 0, 6, 4), label="ends just in time"),
        Probe((score_table(generator, 5, 4), 5, 5, 8), label="the start is the end"),
        Probe((score_table(generator, 2, 1), 7, 2, 6), label="ends at once"),
        Probe((score_table(generator, 8, 2), 1, 8, 2), label="length 2"),
        Probe((score_table(generator, 8, 0), 3, 8, 1), label="length 1"),
        Probe((score_table(generator, 4, 3) - 300, 2, 4, 6), label="scores below 0"),
        Probe((1e-10 * score_table(generator, 4, 5), 2, 4, 8), label="scores hardly differ"),
    )


SUBJECT = FunctionSubject(
    "greedy_decode", decoding_probes, entry="grader_greedy_decode", harness=HARNESS
)


SUBJECTS = (FunctionSubject("sequence_log_prob", text_probes), SUBJECT)
