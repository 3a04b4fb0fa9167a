"""greedy_decode with its wrong turns, seen through a table of scores; knows no model."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, through
from .switches import NONE, Switches

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
        scores = table[0, 0] * 0
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


def _greedy_decode(on: Switches) -> Callable[..., Any]:
    def greedy_decode(
        step: Callable[[list[int]], Tensor], start_id: int, end_id: int, max_length: int
    ) -> Any:
        limit = max_length + 1 if "start_not_counted" in on else max_length
        limit = limit - 1 if "one_too_short" in on else limit
        ids = [start_id]
        while len(ids) < limit:
            if "end_of_start" in on and ids[-1] == end_id:
                break
            given = (
                ids[-1:] if "last_alone" in on else ids[:1] if "start_alone" in on else list(ids)
            )
            given = given[1:] or given if "start_hidden" in on else given
            given = given[::-1] if "backwards" in on else given
            scores = step(given)
            ids.append(_choose(scores, on))
            if ids[-1] == end_id and "never_ends" not in on:
                if "end_dropped" in on:
                    ids.pop()
                break
        if "end_added" in on and ids[-1] != end_id:
            ids.append(end_id)
        if "padded" in on:
            ids += [end_id] * (max_length - len(ids))
        if "start_dropped" in on:
            ids = ids[1:]
        if "tensor" in on:
            return torch.tensor(ids)
        return ids[-1:] if "last_id" in on else ids

    return greedy_decode


def _choose(scores: Tensor, on: Switches) -> Any:
    if "lowest" in on:
        return int(scores.argmin())
    if "second_best" in on:
        return int(scores.topk(2).indices[1])
    if "largest_magnitude" in on:
        return int(scores.abs().argmax())
    best = scores.argmax()
    return best if "tensors_inside" in on else int(best)


def greedy_steps(*args: Any, on: Switches = NONE) -> Any:
    """What the harness reports of the reference with switches."""
    return through(HARNESS, "grader_greedy_decode", *args, greedy_decode=_greedy_decode(on))


def score_table(generator: Generator, end_id: int, end_at: int, vocab: int = 9) -> Tensor:
    """Random scores under which `end_id` wins at length `end_at`, and nowhere before."""
    table = torch.randn(12, vocab, vocab, generator=generator)
    table[:, :, end_id] = 0
    table[0, :, end_id] = -50
    if end_at:
        table[end_at - 1, :, end_id] = 200
    return table


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Ends early, late and never; a start that is the end; every length from 1."""
    return (
        Probe((score_table(generator, 4, 5), 2, 4, 10), label="ends by itself"),
        Probe((score_table(generator, 3, 0), 1, 3, 7), label="stopped by the length"),
        Probe((score_table(generator, 6, 3), 0, 6, 4), label="ends just in time"),
        Probe((score_table(generator, 5, 4), 5, 5, 8), label="the start is the end"),
        Probe((score_table(generator, 2, 1), 7, 2, 6), label="ends at once"),
        Probe((score_table(generator, 8, 2), 1, 8, 2), label="length 2"),
        Probe((score_table(generator, 8, 0), 3, 8, 1), label="length 1"),
    )


SUBJECTS = (FunctionSubject("greedy_decode", greedy_steps, probes, entry="grader_greedy_decode"),)
