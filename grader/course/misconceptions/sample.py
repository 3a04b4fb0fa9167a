"""sample seen through the shares of many draws; knows no model and no wrong turn."""

import math
from typing import Any

import torch
from torch import Generator, Tensor

from ...diagnosis.misconceptions.function_subject import FunctionSubject, Probe

ALIKE, ROWS = 16, 2400  # tokens equally likely, in as many rows of one call
_TOGETHER = 420.0  # of chi-squared with 225 degrees of freedom: by chance, once in 10¹³ times
_TOO_EXACT = 0.6  # of the same with 15 of them: as little once in 100 million times
DRAWS = 2000  # of each row: a share is then known to about 0.06, five times its deviation
# Runs beside the learner's code: every row many times over, and what chance does in between.
HARNESS = """
import torch as grader_torch


def grader_sample(logits, draws, settings, seed, turned=False):
    usual = {"temperature": 1.0, "top_k": None, "top_p": None}
    chosen = [settings.get(name, usual[name]) for name in usual] if settings else []
    answers, kept = [], True
    for count, start, elsewhere in ((draws, seed, 1), (20, seed, 2), (20, None, 3), (20, seed, 4)):
        rows = logits.repeat(count, 1)
        if start is not None:
            generator = grader_torch.Generator().manual_seed(start)
        grader_torch.default_generator.manual_seed(elsewhere)
        given = rows.t().contiguous().t() if turned else rows.clone()
        answers.append(sample(given, generator, *chosen))
        kept = kept and bool((given == rows).all())
    return {"ids": answers, "kept": kept}
"""
NEVER = -math.inf


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
        "by itself": logits.shape != (1, ALIKE) or not hang_together(many),
    }


def hang_together(ids: Tensor) -> bool:
    """Whether rows whose tokens are all equally likely draw together, by pairs and by shares.

    Pairs are neighbours, the same place in both halves, and the two as far from both ends.
    """
    half, far = len(ids) // 2, ids.flip(0)
    pairs = [(ids[:-step], ids[step:]) for step in (1, 2, 3, half)] + [(ids[:half], far[:half])]
    counts = torch.bincount(ids, minlength=ALIKE).float()
    exact = (counts - counts.mean()).square().sum() / counts.mean()
    return bool(exact < _TOO_EXACT) or any(dependence(_table(*pair)) > _TOGETHER for pair in pairs)


def _table(one: Tensor, other: Tensor) -> Tensor:
    return torch.bincount(one * ALIKE + other, minlength=ALIKE**2).view(ALIKE, ALIKE).float()


def dependence(table: Tensor) -> float:
    """Chi-squared of a table of pairs against what their shares lead to."""
    expected = table.sum(1, keepdim=True) * table.sum(0) / table.sum()
    return float(((table - expected).square() / expected.clamp(min=1)).sum())


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
LOW = torch.tensor([[-1e30, -2e29, -3e29]])  # below whatever could stand for never


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Each setting by itself and together, on three rows of unlike chances; low logits aside."""

    def probe(
        table: Tensor, label: str = "", draws: int = DRAWS, aside: bool = False, **settings: Any
    ) -> Probe:
        seed = int(torch.randint(10**6, (), generator=generator))
        return Probe((table, draws, settings, seed), label=label, aside=aside)

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
        probe(PLAIN, temperature=0.5, top_p=0.78),
        probe(PLAIN, top_k=3, top_p=0.75),
        probe(PLAIN, temperature=2.0, top_k=4, top_p=0.6),
        probe(PLAIN * 900, label="large logits"),
        probe(
            rows(EVEN, EVEN[::-1]).masked_fill(torch.tensor(FALLING) > 0.25, NEVER), label="-inf"
        ),
        probe(torch.ones(1, ALIKE), label="rows all alike", draws=ROWS),
        probe(LOW, label="all logits far below 0", aside=True, top_k=1),
        probe(LOW, label="all logits far below 0", aside=True, top_p=0.5),
    )


SUBJECTS = (
    FunctionSubject(
        "sample",
        probes,
        entry="grader_sample",
        harness=HARNESS,
        tolerance=0.06,
        view=lambda probe, answer: shares(probe.args[0], probe.args[1], answer),
    ),
)
