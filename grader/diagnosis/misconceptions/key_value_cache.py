"""KeyValueCache with its wrong turns, seen through a few updates; knows no model."""

from collections.abc import Callable
from typing import Any, ClassVar

import torch
from torch import Generator, Tensor

from .function_subject import Probe, harnessed
from .switches import Switches, applied, chosen

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


def _cache(on: Switches) -> type:
    class KeyValueCache:
        kept: ClassVar[list[tuple[Tensor, Tensor]]] = []  # shared by all, where a switch says so

        def __init__(self) -> None:
            if "shared" not in on:
                self.kept = []  # type: ignore[misc]

        def update(self, key: Tensor, value: Tensor) -> Any:
            if "changes_its_input" in on:
                key.mul_(0.5)
            if "halved_batch" in on:
                key, value = key[:1], value[:1]
            before = list(self.kept)
            self.kept.append((value, key) if "stored_exchanged" in on else (key, value))
            if "first_twice" in on and not before:
                self.kept.append((key, value))
            seen = chosen(SEEN, on, None)
            kept = seen(self.kept, before, (key, value)) if seen else self.kept
            keys, values = ([pair[i] for pair in kept] for i in (0, 1))
            return _given_back(keys, values, on)

    return KeyValueCache


SEEN: dict[str, Callable[[Any, Any, Any], Any]] = {  # of all updates, those before and the new one
    "new_alone": lambda kept, before, new: [new],
    "without_new": lambda kept, before, new: before or [new],
    "first_alone": lambda kept, before, new: kept[:1],
    "last_two": lambda kept, before, new: kept[-2:],
    "newest_first": lambda kept, before, new: kept[::-1],
    "new_twice": lambda kept, before, new: [*kept, new] if before else kept,
    "keys_alone_grow": lambda kept, before, new: [(key, new[1]) for key, _ in kept],
}
AXES = {"along_features": 3, "along_heads": 1, "along_batch": 0}
Pair = tuple[Tensor, Tensor]
PAIRS: dict[str, Callable[[Pair], Pair]] = {
    "keys_twice": lambda pair: (pair[0], pair[0]),
    "values_twice": lambda pair: (pair[1], pair[1]),
    "exchanged": lambda pair: (pair[1], pair[0]),
    "half_precision": lambda pair: (pair[0].bfloat16().float(), pair[1].bfloat16().float()),
    "turned": lambda pair: (pair[0].transpose(1, 2), pair[1].transpose(1, 2)),
}
ANSWERS: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "stacked": lambda key, value: torch.stack([key, value]),
    "keys_returned_alone": lambda key, value: key,
    "nothing_back": lambda key, value: None,
}


def _given_back(keys: list[Tensor], values: list[Tensor], on: Switches) -> Any:
    if "values_alone_remembered" in on:
        keys = keys[-1:]
    if "values_not_remembered" in on:
        values = values[-1:]
    if "lists" in on:
        return list(keys), list(values)
    dim = chosen(AXES, on, 2)
    key, value = torch.cat(keys, dim), torch.cat(values, dim)
    if "summed" in on:
        key, value = sum(keys), sum(values)  # type: ignore[assignment]
    key, value = applied(PAIRS, on, (key, value))
    return chosen(ANSWERS, on, lambda key, value: (key, value))(key, value)


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
    """One token after the other, a longer start, all sizes equal, and two caches in turns."""
    return (
        Probe((updates(generator, (4, 1, 1, 2)),)),
        Probe((updates(generator, (1, 1, 1, 1)),), label="one by one"),
        Probe((updates(generator, (2, 2, 2), 2, 2, 2),), label="all sizes equal"),
        Probe((updates(generator, (3,)),), label="one update"),
        Probe((updates(generator, (2, 1, 1)), updates(generator, (2, 1, 1))), label="two caches"),
    )


SUBJECTS = (harnessed("KeyValueCache", HARNESS, "grader_cache", _cache, probes),)
