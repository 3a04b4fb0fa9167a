"""sample with its wrong turns, seen through the shares of many draws; knows no model."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import Probe, harnessed
from .switches import NONE, Switches, chosen

DRAWS = 2000  # of each row: a share is then known to about 0.06, five times its deviation
# Runs beside the learner's code: every row many times over, and what chance does in between.
HARNESS = """
import torch as grader_torch


def grader_sample(logits, draws, settings, seed):
    answers, kept = [], True
    for count, start, elsewhere in ((draws, seed, 1), (20, seed, 2), (20, None, 3), (20, seed, 4)):
        rows = logits.repeat(count, 1)
        if start is not None:
            generator = grader_torch.Generator().manual_seed(start)
        grader_torch.default_generator.manual_seed(elsewhere)
        given = rows.clone()
        answers.append(sample(given, generator, **settings))
        kept = kept and bool((given == rows).all())
    return {"ids": answers, "kept": kept}
"""
NEVER = -math.inf
ANSWERS: dict[str, Callable[[Tensor, Tensor], Any]] = {  # from ids [batch, 1] and their chances
    "axis_kept": lambda ids, chances: ids,
    "one_hot": lambda ids, chances: torch.nn.functional.one_hot(ids[:, 0], chances.shape[-1]),
    "chance_of_it": lambda ids, chances: chances.gather(-1, ids).squeeze(-1),
    "a_list": lambda ids, chances: ids.squeeze(-1).tolist(),
    "first_row": lambda ids, chances: int(ids[0]),
}
WRITTEN = {  # the settings whose steps write into the logits that are given
    "changes_its_input": "t",
    "in_place_with_k": "tk",
    "in_place_with_p": "tp",
    "in_place_with_both": "tkp",
    "in_place_k": "k",
    "in_place_p": "p",
    "in_place_k_and_p": "kp",
}
HEATED: dict[str, Callable[[Tensor, float], Tensor]] = {
    "no_temperature": lambda logits, temperature: logits,
    "temperature_last": lambda logits, temperature: logits,
    "multiplied": lambda logits, temperature: logits * temperature,
    "chances_heated": lambda logits, temperature: logits.softmax(-1) / temperature,
    "squared_temperature": lambda logits, temperature: logits / temperature**2,
    "temperature_plus_one": lambda logits, temperature: logits / (temperature + 1.0),
}
BESIDE_EDGE = {"above_edge": torch.le, "k_smallest": torch.gt}  # what top_k hides


def sample(
    logits: Tensor,
    generator: Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    on: Switches = NONE,
) -> Any:
    """The reference with switches."""
    if "seeded_anew" in on:
        generator = torch.Generator().manual_seed(1)
    chances = _chances(logits.clone(), temperature, top_k, top_p, on)
    ids = _drawn(chances, None if "own_chance" in on else generator, on)
    if "ranks" in on:
        ids = chances.sort(-1, descending=True).indices.argsort(-1).gather(-1, ids)
    steps = chosen(WRITTEN, on, "")  # those that work in place; do they change anything here?
    if (
        ("t" in steps and temperature != 1)
        or ("k" in steps and top_k is not None and top_k < logits.shape[-1])
        or ("p" in steps and top_p is not None)
    ):
        logits.fill_(0)
    return chosen(ANSWERS, on, lambda ids, chances: ids.squeeze(-1))(ids, chances)


def _drawn(chances: Tensor, generator: Generator | None, on: Switches) -> Tensor:
    if "greedy" in on:
        return chances.argmax(-1, keepdim=True)
    if "one_number_for_all" in on:
        number = torch.rand(1, generator=generator).expand(len(chances), 1)
        return (chances.cumsum(-1) < number).sum(-1, keepdim=True).clamp(max=chances.shape[1] - 1)
    return torch.multinomial(chances, 1, generator=generator)


def _chances(
    logits: Tensor, temperature: float, top_k: int | None, top_p: float | None, on: Switches
) -> Tensor:
    """The chances that tokens are drawn by: [batch, vocab]."""
    if "no_shift" in on:
        weights = (logits / temperature).exp()
        if not bool(weights.isfinite().all()):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if "logits_as_weights" in on:
        logits = logits.clamp(min=1e-6).log()
    full = logits.softmax(-1)
    scores = chosen(HEATED, on, torch.div)(logits, temperature)
    cuts = [lambda s: _largest(s, top_k, on), lambda s: _likeliest(s, top_p, full, on)]
    for cut in reversed(cuts) if "p_before_k" in on else cuts:
        scores = cut(scores)
    if "temperature_last" in on:
        scores = scores / temperature
    if "softmax_over_batch" in on:
        return scores.softmax(0)
    is_cut = top_k is not None or top_p is not None
    if "even" in on or ("even_among_kept" in on and is_cut):
        scores = torch.where(scores == NEVER, NEVER, 0.0)
    return scores.softmax(-1)


def _largest(scores: Tensor, top_k: int | None, on: Switches) -> Tensor:
    """What top_k leaves of the scores."""
    if top_k is None or "no_top_k" in on:
        return scores
    top_k += "k_plus_one" in on
    if "k_minus_one" in on:
        top_k = max(1, top_k - 1)
    size = scores.shape[-1]
    if "k_too_large" in on and top_k > size:
        raise RuntimeError("selected index k out of range")
    order = scores.sort(-1, descending="k_smallest" not in on)
    if "first_k" in on:
        return scores.masked_fill(torch.arange(size) >= top_k, NEVER)
    edge = order.values[:, min(top_k, size) - 1].unsqueeze(-1)
    if "k_of_first_row" in on:
        edge = edge[:1]
    hidden = chosen(BESIDE_EDGE, on, torch.lt)(scores, edge)
    hidden = ~hidden if "k_inverted" in on and top_k < size else hidden
    if on & {"softmax_twice", "softmax_twice_k"}:
        scores = scores.softmax(-1)
    return scores.masked_fill(hidden, 0.0 if "k_as_zero" in on else NEVER)


def _likeliest(scores: Tensor, top_p: float | None, full: Tensor, on: Switches) -> Tensor:
    """What top_p leaves of the scores."""
    if top_p is None or "no_top_p" in on:
        return scores
    chances = full if "p_of_all" in on else scores.softmax(-1)
    if on & {"softmax_twice", "softmax_twice_p"}:
        chances = chances.softmax(-1)
    if "p_as_floor" in on:
        hidden = chances < top_p
        return scores.masked_fill(hidden & (chances < chances.amax(-1, keepdim=True)), NEVER)
    if "p_of_the_best" in on:
        return scores.masked_fill(chances < top_p * chances.amax(-1, keepdim=True), NEVER)
    ordered, order = chances.sort(-1, descending="p_from_below" not in on)
    if "unsorted" in on:
        ordered, order = chances, torch.arange(chances.shape[-1]).expand_as(chances)
    reached = ordered.cumsum(-1)
    before = reached - ordered
    hidden = before >= top_p
    if on & {"p_without_crossing", "p_inverted_with_crossing"}:
        hidden = reached > top_p
    if "p_one_more" in on:
        hidden = (before - ordered.roll(1, -1)) >= top_p
        hidden[:, :2] = False
    if "p_complement" in on:
        hidden = before >= 1 - top_p
    is_inverted = bool(on & {"p_inverted", "p_inverted_with_crossing"})
    if is_inverted:
        hidden = ~hidden
    hidden[:, 0] &= is_inverted and bool(hidden.logical_not().any())
    if "p_of_first_row" in on:
        hidden = hidden[:1].expand_as(hidden)
    if "not_put_back" in on:
        return scores.masked_fill(hidden, NEVER)
    hidden = torch.zeros_like(hidden).scatter(-1, order, hidden)
    return scores.masked_fill(hidden, 0.0 if "p_as_zero" in on else NEVER)


def shares(logits: Tensor, draws: int, answer: Any) -> Any:
    """How often each row drew each token; a sentence where that cannot be said."""
    form = formed(logits, draws, answer)
    if form:
        return form
    many, first, further, again = answer["ids"]
    return {
        "shares": counted(logits, draws, many),
        "the same again": torch.equal(first, again),
        "moves on": not torch.equal(first, further) or logits.shape[-1] == 1,
        "kept": answer["kept"],
    }


def counted(logits: Tensor, draws: int, ids: Tensor) -> Tensor:
    """The share of each token among the draws of each row: [batch, vocab]."""
    rows = ids.view(draws, len(logits)).T
    return torch.nn.functional.one_hot(rows, logits.shape[-1]).float().mean(1)


def formed(logits: Tensor, draws: int, answer: Any) -> str:
    """What is wrong with the form of an answer; empty where it is one id for each row."""
    if not isinstance(answer, dict) or len(answer["ids"]) != 4:
        return "no answers"
    for count, ids in zip((draws, 20, 20, 20), answer["ids"], strict=True):
        if not isinstance(ids, Tensor):
            return f"It returns {type(ids).__name__}; a tensor of ids was expected."
        if tuple(ids.shape) != (count * len(logits),):
            message = f"For logits {[count * len(logits), logits.shape[-1]]} it returns "
            return message + f"{list(ids.shape)}; one id for each row was expected."
        if ids.dtype != torch.int64:
            return f"Its dtype is {ids.dtype}; long ids were expected."
        if int(ids.min()) < 0 or int(ids.max()) >= logits.shape[-1]:
            return "There are ids that no token has."
    return ""


def rows(*chances: list[float]) -> Tensor:
    """Logits under which tokens have these chances, each row shifted by another constant."""
    table = torch.tensor(chances)
    return (table / table.sum(-1, keepdim=True)).log() + torch.arange(len(table)).unsqueeze(1)


FALLING = [0.08, 0.4, 0.02, 0.3, 0.2]
STEEP = [0.02, 0.1, 0.62, 0.08, 0.18]
EVEN = [0.2, 0.16, 0.24, 0.22, 0.18]
PLAIN = rows(FALLING, STEEP, EVEN)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Each setting by itself and together, on three rows of unlike chances."""

    def probe(table: Tensor, label: str = "", **settings: Any) -> Probe:
        seed = int(torch.randint(10**6, (), generator=generator))
        return Probe((table, DRAWS, settings, seed), label=label)

    return (
        probe(PLAIN),
        probe(PLAIN, temperature=0.5),
        probe(PLAIN, temperature=2.5),
        probe(PLAIN, top_k=2),
        probe(PLAIN, top_k=3),
        probe(PLAIN, top_k=9, label="top_k above the vocabulary"),
        probe(PLAIN, top_p=0.55),
        probe(PLAIN, top_p=0.85),
        probe(PLAIN, top_p=0.05, label="one token is left"),
        probe(PLAIN, temperature=0.5, top_p=0.8),
        probe(PLAIN, top_k=3, top_p=0.75),
        probe(PLAIN, temperature=2.0, top_k=4, top_p=0.6),
        probe(PLAIN * 900, label="large logits"),
        probe(
            rows(EVEN, EVEN[::-1]).masked_fill(torch.tensor(FALLING) > 0.25, NEVER), label="-inf"
        ),
    )


SUBJECTS = (
    harnessed(
        "sample",
        HARNESS,
        "grader_sample",
        lambda on: partial(sample, on=on),
        probes,
        tolerance=0.06,
        view=lambda probe, answer: shares(probe.args[0], probe.args[1], answer),
    ),
)
