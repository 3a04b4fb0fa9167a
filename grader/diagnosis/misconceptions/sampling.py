"""Known wrong turns of drawing a token, seen through the shares of many draws; knows no model."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()
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
_CODE = compile(HARNESS, "<harness>", "exec", dont_inherit=True)
NEVER = -math.inf


def _sample(on: Switches) -> Callable[..., Any]:
    def sample(
        logits: Tensor,
        generator: Generator,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> Any:
        if "in_place" in on:
            logits, temperature = logits.div_(temperature), 1.0
        if "seeded_anew" in on:
            generator = torch.Generator().manual_seed(1)
        chances = _chances(logits, temperature, top_k, top_p, on)
        ids = _drawn(chances, None if "own_chance" in on else generator, on)
        if "ranks" in on:
            ids = chances.sort(-1, descending=True).indices.argsort(-1).gather(-1, ids)
        if "axis_kept" in on:
            return ids
        if "one_hot" in on:
            return torch.nn.functional.one_hot(ids[:, 0], logits.shape[-1])
        if "chance_of_it" in on:
            return chances.gather(-1, ids).squeeze(-1)
        if "a_list" in on:
            return ids.squeeze(-1).tolist()
        return int(ids[0]) if "first_row" in on else ids.squeeze(-1)

    return sample


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
    scores = _heated(logits, temperature, on)
    cuts = [lambda s: _largest(s, top_k, on), lambda s: _likeliest(s, top_p, full, on)]
    for cut in reversed(cuts) if "p_before_k" in on else cuts:
        scores = cut(scores)
    if "temperature_last" in on:
        scores = scores / temperature
    if "over_batch" in on:
        return scores.softmax(0)
    if "even_among_kept" in on and (top_k is not None or top_p is not None):
        scores = torch.where(scores == NEVER, NEVER, 0.0)
    if "even" in on:
        scores = torch.where(scores == NEVER, NEVER, 0.0)
    return scores.softmax(-1)


def _heated(logits: Tensor, temperature: float, on: Switches) -> Tensor:
    if on & {"no_temperature", "temperature_last"}:
        return logits
    if "multiplied" in on:
        return logits * temperature
    if "chances_heated" in on:
        return logits.softmax(-1) / temperature
    if "squared_temperature" in on:
        return logits / temperature**2
    return logits / (temperature + 1.0) if "temperature_plus_one" in on else logits / temperature


def _largest(scores: Tensor, top_k: int | None, on: Switches) -> Tensor:
    """What top_k leaves of the scores."""
    if top_k is None or "no_top_k" in on:
        return scores
    if "k_plus_one" in on:
        top_k += 1
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
    if "above_edge" in on:
        hidden = scores <= edge
    elif "k_smallest" in on:
        hidden = scores > edge
    else:
        hidden = scores < edge
    hidden = ~hidden if "k_inverted" in on and top_k < size else hidden
    if "k_as_zero" in on:
        return scores.masked_fill(hidden, 0.0)
    return scores.masked_fill(hidden, NEVER)


def _likeliest(scores: Tensor, top_p: float | None, full: Tensor, on: Switches) -> Tensor:
    """What top_p leaves of the scores."""
    if top_p is None or "no_top_p" in on:
        return scores
    chances = full if "p_of_all" in on else scores.softmax(-1)
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
    if "p_without_crossing" in on:
        hidden = reached > top_p
    if "p_one_more" in on:
        hidden = (before - ordered.roll(1, -1)) >= top_p
        hidden[:, :2] = False
    if "p_complement" in on:
        hidden = before >= 1 - top_p
    if "p_inverted" in on:
        hidden = ~hidden
    hidden[:, 0] &= "p_inverted" in on and bool(hidden.logical_not().any())
    if "p_of_first_row" in on:
        hidden = hidden[:1].expand_as(hidden)
    if "not_put_back" in on:
        return scores.masked_fill(hidden, NEVER)
    hidden = torch.zeros_like(hidden).scatter(-1, order, hidden)
    return scores.masked_fill(hidden, 0.0 if "p_as_zero" in on else NEVER)


def drawn(
    logits: Tensor, draws: int, settings: dict[str, Any], seed: int, on: Switches = NONE
) -> Any:
    """What the harness reports of the reference with switches."""
    names: dict[str, Any] = {"sample": _sample(on)}
    exec(_CODE, names)
    return names["grader_sample"](logits, draws, settings, seed)


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
            told = f"For logits {[count * len(logits), logits.shape[-1]]} it returns "
            return told + f"{list(ids.shape)}; one id for each row was expected."
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


def _view(probe: Probe, value: Any) -> Any:
    return shares(probe.args[0], probe.args[1], value)


_TEMPERATURE = "What are the chances of logits 2 and 0 at temperature 1, at 0.5 and at 2?"
_K = "How many tokens can be drawn with top_k = 3?"
_P = "With chances 0.4, 0.3, 0.2 and 0.1 and top_p = 0.6, which tokens stay?"
_FORM = "What shape and dtype do ids of a batch have?"
_CHANCE = "Where should every random number come from?"
MISCONCEPTIONS = (
    Misconception(
        "greedy", "The likeliest token always wins: nothing is drawn.", "What is chance for?"
    ),
    Misconception(
        "even",
        "All tokens are drawn equally often: the logits say at most which ones.",
        "How often should a token of chance 0.6 be drawn?",
    ),
    Misconception("no_temperature", "The temperature is not used.", _TEMPERATURE),
    Misconception(
        "multiplied",
        "The logits are multiplied by the temperature: cold and hot have changed places.",
        _TEMPERATURE,
    ),
    Misconception(
        "chances_heated",
        "The temperature, and another softmax, act on chances instead of logits.",
        _TEMPERATURE,
    ),
    Misconception("squared_temperature", "The temperature acts twice.", _TEMPERATURE),
    Misconception("temperature_plus_one", "The temperature is one too high.", _TEMPERATURE),
    Misconception(
        "temperature_last",
        "The temperature comes after top_p: what stays is chosen as if it were 1.",
        "In which order do the three act?",
    ),
    Misconception("no_top_k", "top_k is not used: all tokens stay.", _K),
    Misconception("k_plus_one", "With top_k, one token too many stays.", _K),
    Misconception("k_minus_one", "With top_k, one token too few stays.", _K, ways=("above_edge",)),
    Misconception("k_smallest", "With top_k, the least likely tokens stay.", _K),
    Misconception("k_inverted", "With top_k, the best are hidden and the others stay.", _K),
    Misconception(
        "first_k",
        "With top_k, the first tokens of the vocabulary stay, not the likeliest.",
        "Are the logits sorted when they come?",
    ),
    Misconception(
        "k_as_zero",
        "What top_k leaves out gets the logit 0, which is a chance like others.",
        "Which logit has the chance 0?",
    ),
    Misconception(
        "k_of_first_row",
        "top_k takes the edge of the first row for all rows.",
        "Is the k-th best logit the same in each row?",
    ),
    Misconception(
        "k_too_large",
        "A top_k above the size of the vocabulary ends in an error; then all tokens stay.",
        "How many tokens are there to choose from?",
    ),
    Misconception("no_top_p", "top_p is not used: all tokens stay.", _P),
    Misconception(
        "p_without_crossing",
        "The token with which top_p is reached is left out: what stays has less than top_p.",
        _P,
    ),
    Misconception("p_one_more", "With top_p, one token too many stays.", _P),
    Misconception("p_from_below", "top_p counts from the least likely token.", _P),
    Misconception("p_complement", "top_p is taken for what to leave out.", _P),
    Misconception("p_inverted", "With top_p, the likeliest are hidden and the others stay.", _P),
    Misconception(
        "p_as_floor", "top_p is taken for the least chance that a single token must have.", _P
    ),
    Misconception(
        "p_of_the_best", "top_p is taken for a share of the best token's chance (min-p).", _P
    ),
    Misconception(
        "unsorted",
        "Chances are summed in the vocabulary's order, not from the likeliest down.",
        "In which order must chances be added for top_p?",
    ),
    Misconception(
        "not_put_back",
        "What top_p leaves out is known in sorted order, but hidden in the vocabulary's order.",
        "Which token is the third entry of a sorted row?",
    ),
    Misconception(
        "p_of_all",
        "top_p looks at the chances before temperature and top_k.",
        "In which order do the three act?",
    ),
    Misconception(
        "p_before_k",
        "top_p comes before top_k.",
        "In which order do the three act?",
    ),
    Misconception(
        "p_as_zero",
        "What top_p leaves out gets the logit 0, which is a chance like others.",
        "Which logit has the chance 0?",
    ),
    Misconception(
        "p_of_first_row",
        "top_p keeps as many tokens in all rows as in the first.",
        "Do two rows need the same number of tokens to reach top_p?",
    ),
    Misconception(
        "even_among_kept",
        "What stays is drawn equally often; each by its share was promised.",
        "How often should a token of chance 0.6 be drawn?",
    ),
    Misconception(
        "over_batch",
        "The rows compete with each other: a softmax runs over the batch.",
        "Which chances must sum to 1?",
    ),
    Misconception(
        "logits_as_weights",
        "The logits are used as if they were chances: there is no softmax.",
        "What turns logits into chances?",
    ),
    Misconception(
        "no_shift",
        "There is no shift before exp: large logits give inf or nan.",
        "What is exp(900)?",
    ),
    Misconception(
        "ranks",
        "The place in the sorted row comes back, not the token that stands there.",
        "Which token is the third entry of a sorted row?",
    ),
    Misconception(
        "one_number_for_all",
        "One random number decides for all rows.",
        "How many random numbers does a batch of four rows need?",
    ),
    Misconception(
        "own_chance",
        "The generator is not used: random numbers come from elsewhere, and nobody can repeat "
        "them.",
        _CHANCE,
    ),
    Misconception(
        "seeded_anew",
        "Chance starts anew in every call: the same logits always give the same token.",
        _CHANCE,
    ),
    Misconception(
        "in_place",
        "The logits that are given are changed in place.",
        "Which of your operations writes into the tensor that it is given?",
    ),
    Misconception("axis_kept", "The ids are right, but have an axis of length 1 too many.", _FORM),
    Misconception("one_hot", "One-hot rows come back; ids were promised.", _FORM),
    Misconception("chance_of_it", "The chance of the token comes back, not its id.", _FORM),
    Misconception("first_row", "Only one id comes back; one for each row was promised.", _FORM),
    Misconception("a_list", "A list comes back; a tensor was promised.", _FORM),
)

SUBJECT = FunctionSubject("sample", drawn, probes, MISCONCEPTIONS, tolerance=0.06, view=_view)
