"""KeyValueCache seen through a few updates; knows no model and no wrong turn."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

# Runs beside the learner's code. `queries`: attention to all that comes back, as in a model that
# writes; it counts the tokens whose keys and values it was given.
HARNESS = """
import torch as grader_torch


grader_known = {}


def grader_share():
    # whether a new cache gives back what an older one was given; asked once
    if "shared" not in grader_known:
        old, new = grader_torch.full((1, 2, 3, 4), 7.0), grader_torch.ones(1, 2, 1, 4)
        try:
            KeyValueCache().update(old, old.clone())
            answer = KeyValueCache().update(new, new.clone())
            tensors = [one for one in answer if isinstance(one, grader_torch.Tensor)]
            grader_known["shared"] = any(bool((one == 7).any()) for one in tensors)
        except Exception:
            grader_known["shared"] = False
    return grader_known["shared"]


def grader_plain(answer):
    if isinstance(answer, (tuple, list)):
        return [list(one) if isinstance(one, (tuple, list)) else one for one in answer]
    return answer


def grader_cache(parts, between=()):
    if grader_share():
        return {"parts": [], "changed": False, "shared": True}
    cache, other = KeyValueCache(), None
    answers, changed = [], False
    for number, (key, value) in enumerate(parts):
        given = key.clone(), value.clone()
        answers.append(grader_plain(cache.update(*given)))
        changed = changed or not (given[0].equal(key) and given[1].equal(value))
        if number < len(between):
            other = KeyValueCache() if other is None else other
            other.update(*(part.clone() for part in between[number]))
    return {"parts": answers, "changed": changed, "shared": False}


def grader_write(hidden, maps, sizes):
    cache, answers, done = KeyValueCache(), [], 0
    for size in sizes:
        new = hidden[:, done : done + size]
        query, key, value = (grader_torch.einsum("bsh,hnd->bnsd", new, one) for one in maps)
        keys, values = cache.update(key, value)
        scores = query @ keys.mT / query.shape[-1] ** 0.5
        place = grader_torch.arange(keys.shape[2])
        later = place > (done + grader_torch.arange(size))[:, None]
        answers.append(scores.masked_fill(later, float("-inf")).softmax(-1) @ values)
        done += size
    return {"written": grader_torch.cat(answers, 2), "tokens": done}
"""


def written(hidden: Tensor, maps: list[Tensor]) -> Tensor:
    """Causal attention over all tokens at once, nothing remembered: [batch, heads, seq, dim]."""
    query, key, value = (torch.einsum("bsh,hnd->bnsd", hidden, one) for one in maps)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    later = torch.ones(scores.shape[-2:]).triu(1).bool()
    return scores.masked_fill(later, float("-inf")).softmax(-1) @ value


def updates(
    generator: Generator, sizes: tuple[int, ...], batch: int = 2, heads: int = 3, dim: int = 5
) -> list[Any]:
    """Keys and values of as many tokens as each size says."""
    return [
        tuple(torch.randn(batch, heads, size, dim, generator=generator) for _ in "kv")
        for size in sizes
    ]


def probes(generator: Generator) -> tuple[Probe, ...]:
    """One by one, a longer start, all sizes equal, two caches in turns, and 64 and 16 bits."""
    return (
        Probe((updates(generator, (4, 1, 1, 2)),)),
        Probe((updates(generator, (1, 1, 1, 1)),), label="one by one"),
        Probe((updates(generator, (2, 2, 2), 2, 2, 2),), label="all sizes equal"),
        Probe((updates(generator, (3,)),), label="one update"),
        Probe((updates(generator, (2, 1, 1)), updates(generator, (2, 1, 1))), label="two caches"),
        Probe(
            ([[part.double() / 3 for part in pair] for pair in updates(generator, (2, 1))],),
            label="float64",
            aside=True,
        ),
        Probe(
            ([[part.half() for part in pair] for pair in updates(generator, (2, 1))],),
            label="float16",
            aside=True,
        ),
    )


SUBJECTS = (FunctionSubject("KeyValueCache", probes, entry="grader_cache", harness=HARNESS),)
