"""Hidden checks of what chapter 11 leaves to chance: shares of many draws, never one draw."""

from typing import Any

import torch
from torch import Generator, Tensor

from ..candidate.candidate import Candidate
from ..candidate.message import known, message_of
from ..candidate.seeds import generator_for
from ..diagnosis.misconceptions import mask_tokens, sample
from . import check
from .expect import Wrong, wrong

_TOO_FAR = 40.0  # of chi-squared with two degrees of freedom: by chance, once in 500 million times
_DRAWS = 600  # of each row: a right solution may draw row by row, which takes its time


def _thrice(candidate: Candidate, seed: int, rate: float | None) -> tuple[Tensor, Any, Any]:
    """Ids, vocabulary and what three calls gave; asked once for each rate."""

    def asked() -> tuple[Tensor, Any, Any]:
        generator = generator_for(seed, candidate.exercise, f"rate {rate}")
        ids, vocab = mask_tokens.sentences(generator, 150, 120, 70)
        start = int(torch.randint(10**6, (), generator=generator))
        return ids, vocab, candidate.through("grader_mask_tokens", ids, vocab, rate, start)

    ids, vocab, got = candidate.once(f"masked at rate {rate}", asked)
    wrong = mask_tokens.formed(ids, got)
    if wrong:
        raise Wrong(message_of(wrong))
    return ids, vocab, got


def _shares(
    candidate: Candidate, seed: int, rate: float | None = mask_tokens.MANY
) -> dict[str, Any]:
    shares: dict[str, Any] = mask_tokens.shares(*_thrice(candidate, seed, rate))
    if "chosen" not in shares:
        raise wrong("The same positions are chosen in all sentences, or nearly.")
    return shares


def _near(share: float, wanted: float, what: str, room: float = 0.035) -> None:
    if abs(share - wanted) > room:
        raise wrong("{}: {:.0%} of them; about {:.0%} was expected.", known(what), share, wanted)


@check("mask_tokens", weight=2, essential=True, harness=mask_tokens.HARNESS)
def test_chosen(candidate: Candidate, seed: int) -> None:
    """The share of tokens that have a label is the rate; all other labels are −100."""
    for rate in (mask_tokens.MANY, None):
        shares = _shares(candidate, seed, rate)
        if shares["other labels"] < 1 or shares["label is right"] < 1:
            raise wrong(
                "There are labels that are neither −100 nor the id that stood there before masking."
            )
        named = f"With rate={rate}" if rate else "Without a rate"
        what = f"{named}, the words that have a label"
        _near(shares["chosen"], rate or mask_tokens.FEW, what, 0.025)


@check("mask_tokens", weight=2, essential=True)
def test_fates(candidate: Candidate, seed: int) -> None:
    """Of the chosen tokens, eight in ten become [MASK], one another piece, one stays."""
    shares = _shares(candidate, seed)
    _near(shares["as [MASK]"], 0.8, "Chosen tokens that became [MASK]")
    _near(shares["as it was"], 0.1, "Chosen tokens that stayed as they were")
    if not shares["fates differ"]:
        raise wrong("In most sentences, or at most places, all chosen tokens share one fate.")


@check("mask_tokens")
def test_fates_closely(candidate: Candidate, seed: int) -> None:
    """Of tens of thousands of chosen tokens, the shares are as near to 80, 10 and 10% as chance."""
    seen, expected = torch.zeros(3), torch.zeros(3)
    for rate in (mask_tokens.MANY, None, 1.0):
        ids, vocab, answers = _thrice(candidate, seed, rate)
        for masked, labels, _ in answers[:2]:  # the third repeats the first
            special = torch.tensor([vocab[piece] for piece in mask_tokens.SPECIAL])
            taken = (labels != -100) & ~torch.isin(ids, special)
            is_mask, is_kept = masked[taken] == vocab["[MASK]"], masked[taken] == ids[taken]
            seen += torch.stack([is_mask.sum(), is_kept.sum(), (~is_mask & ~is_kept).sum()])
            same = 0.1 / len(vocab)  # what is drawn may be [MASK], or the piece that stood there
            expected += taken.sum() * torch.tensor([0.8 + same, 0.1 + same, 0.1 - 2 * same])
    apart = (seen - expected).square() / expected.clamp(min=1)
    if float(apart.sum()) > _TOO_FAR:
        shares = (seen / seen.sum()).tolist()
        raise wrong(
            "Of {:,} chosen tokens {:.1%} became [MASK], {:.1%} stayed as they were and {:.1%} "
            "became another piece. Chance does not go so far from 80, 10 and 10%: may two of "
            "your draws fall on the same token?",
            int(seen.sum()),
            *shares,
        )


@check("mask_tokens")
def test_not_chosen(candidate: Candidate, seed: int) -> None:
    """Tokens without a label stay as they are."""
    share = _shares(candidate, seed)["not chosen as it was"]
    if share < 1:
        raise wrong("{:.1%} of the tokens without a label are not what they were.", 1 - share)


@check("mask_tokens")
def test_special(candidate: Candidate, seed: int) -> None:
    """The five special tokens are never chosen."""
    shares = _shares(candidate, seed)["chosen special"]
    found = [p for p, share in zip(mask_tokens.SPECIAL, shares, strict=True) if share]
    if found:
        raise wrong("{} may be chosen.", known(" and ".join(found)))


@check("mask_tokens")
def test_pieces(candidate: Candidate, seed: int) -> None:
    """The pieces that are put in come from the whole vocabulary."""
    shares = _shares(candidate, seed)
    if not (shares["many pieces"] and shares["of the upper half"]):
        raise wrong("Many pieces of the vocabulary are never put in.")
    if not _shares(candidate, seed, 1.0)["all pieces"]:
        raise wrong("At least one piece of the vocabulary is never put in.")


@check("mask_tokens")
def test_each_by_itself(candidate: Candidate, seed: int) -> None:
    """Each token is chosen by itself: other numbers and other places in each sentence."""
    if not _shares(candidate, seed)["a number for each"]:
        raise wrong("Sentences of the same length have the same number of chosen tokens.")


@check("mask_tokens")
def test_extreme_rates(candidate: Candidate, seed: int) -> None:
    """With rate 0 nothing is chosen, with rate 1 every word."""
    for rate in (0.0, 1.0):
        share = _shares(candidate, seed, rate)["chosen"]
        if share != rate:
            raise wrong("With rate={:g}, {:.0%} of the words have a label.", rate, share)


@check("mask_tokens")
def test_masking_repeats(candidate: Candidate, seed: int) -> None:
    """The same state of the generator gives the same answer, and each call moves it on."""
    shares = _shares(candidate, seed)
    _repeats(shares["the same again"], shares["moves on"])


@check("mask_tokens")
def test_ids_stay(candidate: Candidate, seed: int) -> None:
    """The ids that were given stay as they are."""
    if not _shares(candidate, seed)["input kept"]:
        raise wrong("After the call, input_ids is no longer what it was: it was changed in place.")


def _repeats(same: bool, moves: bool) -> None:
    if not same:
        raise wrong(
            "Called twice with generators of the same seed, it gives two answers: some random "
            "number comes from elsewhere, or something is left of an earlier call."
        )
    if not moves:
        raise wrong("Called twice with the same generator, it draws the same numbers again.")


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
    candidate: Candidate, generator: Generator, logits: Tensor, draws: int, **settings: Any
) -> Any:
    """What came of drawing, found to be ids."""
    start = int(torch.randint(10**6, (), generator=generator))
    got = candidate.through("grader_sample", logits, draws, settings, start)
    wrong = sample.formed(logits, draws, got)
    if wrong:
        raise Wrong(message_of(wrong))
    return got


def _draws(candidate: Candidate, generator: Generator, logits: Tensor, **settings: Any) -> None:
    """Draw many times from each row and compare the shares."""
    got = _asked(candidate, generator, logits, _DRAWS, **settings)
    said = ", ".join(f"{name}={value:g}" for name, value in settings.items())
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


@check("sample", weight=2)
def test_temperature(candidate: Candidate, generator: Generator) -> None:
    """The logits are divided by the temperature: a small one is surer, a large one more even."""
    for temperature in (0.5, 2.5):
        _draws(candidate, generator, _table(generator, _ROWS), temperature=temperature)


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
    _draws(candidate, generator, table, top_p=0.05)


@check("sample")
def test_extreme_logits(candidate: Candidate, generator: Generator) -> None:
    """Large logits give no nan, and what has −inf never comes."""
    large = torch.tensor([[1000.0, 1001.0, 998.0], [-1000.0, -1001.0, -998.0]])
    _draws(candidate, generator, large)
    low = torch.tensor([[-40_000.0, -40_002.0, -40_001.0], [2e6, 2e6 + 1, 2e6 + 3]])
    _draws(candidate, generator, low, top_k=2)
    _draws(candidate, generator, low, top_p=0.8)
    some = _table(generator, [sample.EVEN, sample.EVEN[::-1]])
    some[0, 1] = some[1, 3] = sample.NEVER
    _draws(candidate, generator, some)
    _draws(candidate, generator, some, top_k=3)


@check("sample")
def test_draws_repeat(candidate: Candidate, generator: Generator) -> None:
    """The same state of the generator gives the same draws, and each call moves it on."""
    table = _table(generator, _ROWS)
    _, first, further, again = _asked(candidate, generator, table, 20)["ids"]
    _repeats(torch.equal(first, again), not torch.equal(first, further))


@check("sample")
def test_logits_stay(candidate: Candidate, generator: Generator) -> None:
    """The logits stay as they are."""
    for settings in ({"temperature": 0.7}, {"top_k": 2, "top_p": 0.6}):
        table = _table(generator, _ROWS)
        if not _asked(candidate, generator, table, 20, **settings)["kept"]:
            raise wrong("After the call, the logits are no longer what they were.")
