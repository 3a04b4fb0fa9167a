"""Known wrong turns of remembering keys and values, seen through a few updates; knows no model."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
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
_CODE = compile(HARNESS, "<harness>", "exec", dont_inherit=True)


def _cache(on: Switches) -> type:
    class KeyValueCache:
        kept: ClassVar[list[tuple[Tensor, Tensor]]] = []  # shared by all, where a switch says so

        def __init__(self) -> None:
            if "shared" not in on:
                self.kept = []  # type: ignore[misc]

        def update(self, key: Tensor, value: Tensor) -> Any:
            if "in_place" in on:
                key.mul_(0.5)
            if "halved_batch" in on:
                key, value = key[:1], value[:1]
            before = list(self.kept)
            self.kept.append((value, key) if "stored_exchanged" in on else (key, value))
            if "first_twice" in on and not before:
                self.kept.append((key, value))
            kept = _seen(self.kept, before, (key, value), on)
            keys, values = ([pair[i] for pair in kept] for i in (0, 1))
            return _given_back(keys, values, on)

    return KeyValueCache


def _seen(kept: Any, before: Any, new: Any, on: Switches) -> Any:
    """Which of the updates come back."""
    if "new_alone" in on:
        return [new]
    if "without_new" in on:
        return before or [new]
    if "first_alone" in on:
        return kept[:1]
    if "last_two" in on:
        return kept[-2:]
    if "newest_first" in on:
        return kept[::-1]
    if "new_twice" in on and before:
        return [*kept, new]
    if "keys_alone_grow" in on:
        return [(key, new[1]) for key, _ in kept]
    return kept


def _given_back(keys: list[Tensor], values: list[Tensor], on: Switches) -> Any:
    if "values_alone_remembered" in on:
        keys = keys[-1:]
    if "values_not_remembered" in on:
        values = values[-1:]
    dim = 1 if "along_heads" in on else 0 if "along_batch" in on else 2
    dim = 3 if "along_features" in on else dim
    key, value = torch.cat(keys, dim), torch.cat(values, dim)
    if "summed" in on:
        key, value = sum(keys), sum(values)  # type: ignore[assignment]
    if "keys_twice" in on:
        value = key
    if "values_twice" in on:
        key = value
    if "exchanged" in on:
        key, value = value, key
    if "half_precision" in on:
        key, value = key.bfloat16().float(), value.bfloat16().float()
    if "stacked" in on:
        return torch.stack([key, value])
    if "turned" in on:
        return key.transpose(1, 2), value.transpose(1, 2)
    if "lists" in on:
        return list(keys), list(values)
    if "keys_returned_alone" in on:
        return key
    return None if "nothing" in on else (key, value)


def cached(parts: list[Any], between: Any = (), on: Switches = NONE) -> Any:
    """What the harness reports of the reference with switches."""
    names: dict[str, Any] = {"KeyValueCache": _cache(on)}
    exec(_CODE, names)
    return names["grader_cache"](parts, between)


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


_ALL = "After three updates of one token each, how many tokens should come back, and in what order?"
_AXIS = "Which of the four axes is the one of the tokens?"
_TWO = "What was promised to come back, and in which order?"
MISCONCEPTIONS = (
    Misconception(
        "new_alone",
        "Only the new tokens come back: nothing is remembered, or nothing of it is given back.",
        _ALL,
    ),
    Misconception(
        "without_new",
        "What comes back is from before the update: the new tokens are missing.",
        "May a token attend to itself?",
    ),
    Misconception("first_alone", "The first update is remembered, and no later one.", _ALL),
    Misconception(
        "last_two", "Only the last two updates come back: older ones are forgotten.", _ALL
    ),
    Misconception(
        "newest_first", "The tokens come back in the wrong order, the newest first.", _ALL
    ),
    Misconception("first_twice", "The first update is remembered twice.", _ALL),
    Misconception("new_twice", "The new tokens come back twice.", _ALL),
    Misconception(
        "keys_alone_grow",
        "The keys are remembered, the values are not: only the new ones come back.",
        _ALL,
        ways=("values_not_remembered",),
    ),
    Misconception(
        "values_alone_remembered",
        "The values are remembered, the keys are not: only the new ones come back.",
        _ALL,
    ),
    Misconception("along_heads", "The tokens are joined along the axis of the heads.", _AXIS),
    Misconception("along_batch", "The tokens are joined along the axis of the batch.", _AXIS),
    Misconception("along_features", "The tokens are joined along the axis of the features.", _AXIS),
    Misconception(
        "summed",
        "Old and new are added up instead of put one after the other.",
        "What is the length of the token axis after an update?",
    ),
    Misconception(
        "exchanged", "Keys and values have changed places.", _TWO, ways=("stored_exchanged",)
    ),
    Misconception("keys_twice", "The keys come back twice; the values are lost.", _TWO),
    Misconception("values_twice", "The values come back twice; the keys are lost.", _TWO),
    Misconception(
        "shared",
        "All caches share one memory: what one sentence wrote, another finds.",
        "Where is the memory created: once for the class, or once for each cache?",
    ),
    Misconception("halved_batch", "Only the first sentence of the batch is remembered.", _AXIS),
    Misconception(
        "turned", "The values are right, but heads and tokens have changed places.", _AXIS
    ),
    Misconception(
        "half_precision",
        "The numbers come back rounded: they are kept with fewer digits than they came with.",
        "In which dtype are they kept?",
    ),
    Misconception("stacked", "One tensor comes back; two were promised.", _TWO),
    Misconception(
        "lists",
        "Lists of tensors come back; one tensor of all keys and one of all values were promised.",
        _TWO,
    ),
    Misconception("keys_returned_alone", "Only the keys come back.", _TWO),
    Misconception("nothing", "Nothing comes back: update has no return.", _TWO),
    Misconception(
        "in_place",
        "The tensors that are handed over are changed in place.",
        "Which of your operations writes into the tensor that it is given?",
    ),
)

SUBJECT = FunctionSubject("KeyValueCache", cached, probes, MISCONCEPTIONS)
