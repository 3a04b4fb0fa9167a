"""Hidden checks of the drawing of chapter 11: shares of many draws, never one draw."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import known, message_of
from ...marking.check import check
from ...marking.expect import Wrong, wrong
from ..misconceptions import sample
from .check_chance import repeats

_LEAST = 0.001  # temperature that is promised
_MANY = 1_100  # tokens
_DRAWS = 600  # of each row: a right solution may draw row by row, which takes its time


def _chances(logits: Tensor, temperature: float, top_k: int | None, top_p: float | None) -> Tensor:
    """What each token's share should be, in 64 bits."""
    chances = (logits.double() / temperature).softmax(-1)
    ordered, order = chances.sort(-1, descending=True)
    if top_k is not None:
        ordered[:, top_k:] = 0
        ordered /= ordered.sum(-1, keepdim=True)
    if top_p is not None:
        ordered[ordered.cumsum(-1) - ordered >= top_p] = 0
        ordered /= ordered.sum(-1, keepdim=True)
    return torch.zeros_like(chances).scatter(-1, order, ordered).float()


def _asked(
    candidate: Candidate,
    generator: Generator,
    logits: Tensor,
    draws: int,
    *turned: bool,
    **settings: Any,
) -> Any:
    """What came of drawing, found to be ids."""
    start = int(torch.randint(10**6, (), generator=generator))
    got = candidate.through("grader_sample", logits, draws, settings, start, *turned)
    wrong = sample.formed(logits, draws, got)
    if wrong:
        raise Wrong(message_of(wrong))
    return got


def _draws(candidate: Candidate, generator: Generator, logits: Tensor, **settings: Any) -> None:
    """Draw many times from each row and compare the shares."""
    got = _asked(candidate, generator, logits, _DRAWS, **settings)
    said = _said(settings)
    wanted = _chances(logits, **{"temperature": 1.0, "top_k": None, "top_p": None, **settings})
    found, named = sample.counted(logits, _DRAWS, got["ids"][0]), f"With {said}: " if said else ""
    spare = ((wanted == 0) & (found > 0)).nonzero().tolist()
    if spare:
        raise wrong("{}row {} draws token {}, which may not be drawn.", known(named), *spare[0])
    gap = (found - wanted).abs() - 5.5 * (wanted * (1 - wanted) / _DRAWS).sqrt()
    if float(gap.max()) > 0.02:
        row, token = divmod(int(gap.argmax()), wanted.shape[1])
        raise wrong(
            "{}row {} draws token {} in {:.0%} of all draws; about {:.0%} was expected.",
            known(named),
            row,
            token,
            float(found[row, token]),
            float(wanted[row, token]),
        )


def _said(settings: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in settings.items())


def _table(generator: Generator, chances: list[list[float]]) -> Tensor:
    """Logits of these chances, the tokens in another order in every run."""
    order = torch.randperm(len(chances[0]), generator=generator)
    return sample.rows(*chances)[:, order]


_ROWS = [sample.FALLING, sample.STEEP, sample.EVEN]


@check("sample", weight=3, essential=True, harness=sample.HARNESS)
def test_shares(candidate: Candidate, generator: Generator) -> None:
    """Over many draws, each token comes as often as its chance says, row by row."""
    _draws(candidate, generator, _table(generator, _ROWS))
    _draws(candidate, generator, _table(generator, [[0.5, 0.1, 0.4]]))
    _asked(candidate, generator, _table(generator, [[0.5, 0.1, 0.4]]), 1, top_k=2)


@check("sample")
def test_by_itself(candidate: Candidate, generator: Generator) -> None:
    """Each row is drawn by itself: what one draws tells nothing of what another does."""
    got = _asked(candidate, generator, torch.ones(1, sample.ALIKE), sample.ROWS)
    if sample.hang_together(got["ids"][0]):
        raise wrong(
            "Of {:,} rows of one call, whose tokens are all equally likely, what some draw hangs "
            "together with what others draw. How many random numbers does each row need?",
            sample.ROWS,
        )


@check("sample", weight=2)
def test_temperature(candidate: Candidate, generator: Generator) -> None:
    """The logits are divided by the temperature: a small one is surer, a large one more even."""
    _draws(candidate, generator, _table(generator, [sample.EVEN]), temperature=0.05)
    for temperature in (0.5, 2.5, 40.0):
        _draws(candidate, generator, _table(generator, _ROWS), temperature=temperature)
    for temperature in (_LEAST, 20.0, 1e6):  # whose logits are as many times as far apart
        far = temperature * _table(generator, [sample.STEEP])
        _draws(candidate, generator, far, temperature=temperature)


@check("sample", weight=2)
def test_top_k(candidate: Candidate, generator: Generator) -> None:
    """With top_k, only the k likeliest are drawn, by their shares."""
    for top_k in (3, 2, 1):
        _draws(candidate, generator, _table(generator, _ROWS), top_k=top_k)


@check("sample", weight=2)
def test_top_p(candidate: Candidate, generator: Generator) -> None:
    """With top_p, only the likeliest that reach it together are drawn, by their shares."""
    for top_p in (0.55, 0.85, 0.35):
        _draws(candidate, generator, _table(generator, _ROWS), top_p=top_p)


@check("sample")
def test_together(candidate: Candidate, generator: Generator) -> None:
    """Temperature first, then top_k, then top_p of what is left."""
    table = _table(generator, _ROWS)
    _draws(candidate, generator, table, temperature=0.5, top_p=0.8)
    _draws(candidate, generator, table, top_k=3, top_p=0.75)
    _draws(candidate, generator, table, temperature=2.0, top_k=4, top_p=0.6)


@check("sample")
def test_edges(candidate: Candidate, generator: Generator) -> None:
    """A top_k above the vocabulary keeps all, and a tiny top_p keeps one."""
    table = _table(generator, _ROWS)
    _draws(candidate, generator, table, top_k=9)
    _draws(candidate, generator, table, top_p=1.0)
    _draws(candidate, generator, table, top_p=1e-9)
    zeros = torch.tensor([[0.0, 1.0, -1.0, 0.5], [0.0, 0.0, 0.0, 0.0]])
    _draws(candidate, generator, zeros)
    _draws(candidate, generator, zeros[:1], top_k=3)
    _draws(candidate, generator, zeros[:1], top_p=0.9)
    _draws(candidate, generator, torch.tensor([[0.0]]), top_k=1, top_p=0.5)
    order = torch.randperm(_MANY, generator=generator)
    nearly_even = -1e-4 * order[None]
    for settings in ({"top_p": 0.99}, {"top_k": _MANY - 100}):
        ids = _asked(candidate, generator, nearly_even, 64, **settings)["ids"][0].flatten()
        if int(order[ids].max()) < _MANY // 2:
            raise wrong(
                "Of {:,} tokens, which are nearly as likely as each other, {} leaves the "
                "likelier half at most.",
                _MANY,
                known(_said(settings)),
            )
    many = _table(generator, [[0.4, *[0.6 / 99] * 99]])
    _draws(candidate, generator, many)
    _draws(candidate, generator, many, top_k=100)


@check("sample")
def test_equal_logits(candidate: Candidate, generator: Generator) -> None:
    """Of equal logits at the edge, one stays at least, and what is below the edge never comes."""
    chances = torch.tensor([0.4, 0.2, 0.2, 0.15, 0.05])
    order = torch.randperm(5, generator=generator)
    place = order.argsort().tolist()
    for settings in ({"top_k": 2}, {"top_p": 0.55}):
        got = _asked(candidate, generator, chances.log()[None, order], _DRAWS, **settings)
        found = sample.counted(chances[None], _DRAWS, got["ids"][0])[0, place]
        if float(found[3:].sum()):
            raise wrong("With {}, a token below the edge is drawn.", known(_said(settings)))
        if float(found[1:3].sum()) < 0.2:  # a third at least, by its share
            raise wrong(
                "With {}, and two tokens equally likely at the edge, these are drawn in {:.0%} of "
                "all draws: one of them stays, or both.",
                known(_said(settings)),
                float(found[1:3].sum()),
            )


@check("sample")
def test_extreme_logits(candidate: Candidate, generator: Generator) -> None:
    """Large logits give no nan, and what has −inf never comes."""
    rows = [[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -998.0], [1e30, -1e30, 1e29]]
    large = torch.tensor(rows)
    _draws(candidate, generator, large)
    _draws(candidate, generator, large, temperature=0.001)
    # Beyond 10⁴, where near ones may share unevenly, none is near another.
    rows = [[-40_000.0, -40_080.0, -40_040.0], [2e6, 2e6 + 40, 2e6 + 80], [-9e3, -9002.0, -9001.0]]
    for settings in ({"top_k": 2}, {"top_p": 0.8}):
        _draws(candidate, generator, torch.tensor(rows), **settings)
    low = sample.LOW[:, torch.randperm(3, generator=generator)]
    for settings in ({"top_k": 1}, {"top_p": 0.5}):
        _draws(candidate, generator, low, **settings)
    some = _table(generator, [sample.EVEN, sample.EVEN[::-1]])
    some[0, 1] = some[1, 3] = sample.NEVER
    _draws(candidate, generator, some)
    _draws(candidate, generator, some, top_k=3)
    alone = torch.full((1, _MANY), sample.NEVER)
    alone[0, -2] = 0.0
    if bool((_asked(candidate, generator, alone, 2)["ids"][0] != _MANY - 2).any()):
        raise wrong("Of {:,} tokens all but one have −inf, and another one is drawn.", _MANY)
    _draws(candidate, generator, torch.zeros(1, 1))


@check("sample")
def test_draws_repeat(candidate: Candidate, generator: Generator) -> None:
    """The same state of the generator gives the same draws, and each call moves it on."""
    table = _table(generator, _ROWS)
    _, first, further, again = _asked(candidate, generator, table, 20)["ids"]
    repeats(torch.equal(first, again), not torch.equal(first, further))


@check("sample")
def test_logits_stay(candidate: Candidate, generator: Generator) -> None:
    """The logits stay as they are, and may lie in memory in any way."""
    for settings in (
        {"temperature": 0.7},
        {"top_k": 2},
        {"top_p": 0.6},
        {"top_k": 2, "top_p": 0.6},
    ):
        table = _table(generator, _ROWS)
        if not _asked(candidate, generator, table, 20, **settings)["kept"]:
            raise wrong("After the call, the logits are no longer what they were.")
    _asked(candidate, generator, table, 20, True)
