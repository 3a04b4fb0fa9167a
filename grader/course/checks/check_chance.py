"""Hidden checks of the masking of chapter 11: shares of many tokens, never one draw."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.message import Choice, known, message_of
from ...candidate.seeds import generator_for
from ...marking.check import check
from ...marking.expect import Wrong, wrong
from ..misconceptions import mask_tokens

_TOO_FAR = 40.0  # of chi-squared with two degrees of freedom: by chance, once in 500 million times
_DOUBTFUL = 12.0  # of the same: once in 400 times; then more tokens are asked for
_MORE = 4  # times at most
_CALLS, _TOO_NEAR = 6, 0.3  # of chi-squared with twelve of them: once in 60 million times
_TOGETHER = {  # by what is seen of it
    "chosen together": "Whether a token is chosen",
    "fates together": "What a chosen token becomes",
    "pieces together": "Which piece is put in",
}
_PIECES = 1_100  # of a large vocabulary, and in one sentence
_GROUPS = 7  # of as many pieces each
_UNEVEN = 60.0  # of chi-squared between them: as rare
_SHORT, _SHORT_RATES = (2_500, 6), (0.3, 0.6)  # sentences of one to three words
# Small rates, and how far from each the share may be that is chosen of 25,000 words.
_SMALL = {0.005: 0.0025, 1e-5: 0.00025}


def _start(generator: Generator) -> int:
    """The state from which a candidate draws, which it sees; the run's seed it must not see."""
    return int(torch.randint(10**6, (), generator=generator))


def _thrice(
    candidate: Candidate,
    seed: int,
    rate: float | None,
    more: str = "",
    size: tuple[int, int] = (150, 120),
) -> tuple[Tensor, Any, Any]:
    """Ids, vocabulary and what three calls gave; asked once for each rate."""

    def asked() -> tuple[Tensor, Any, Any]:
        generator = generator_for(seed, candidate.exercise, f"rate {rate}{more}")
        batch, seq = size
        ids, vocab = mask_tokens.sentences(generator, batch, max(seq, 7), 70)
        ids = ids[:, -seq:]  # of short ones without [CLS]
        start = _start(generator)
        return ids, vocab, candidate.through("grader_mask_tokens", ids, vocab, rate, start)

    ids, vocab, got = candidate.once(f"masked at rate {rate}{more}", asked)
    wrong = mask_tokens.formed(ids, got)
    if wrong:
        raise Wrong(message_of(wrong))
    return ids, vocab, got


def _shares(
    candidate: Candidate, seed: int, rate: float | None = mask_tokens.MANY
) -> dict[str, Any]:
    ids, vocab, answers = _thrice(candidate, seed, rate)
    shares: dict[str, Any] = mask_tokens.shares(ids, vocab, rate, answers)
    if "chosen" not in shares:
        raise wrong("The same positions are chosen in all sentences, or nearly.")
    return shares


def _labelled(candidate: Candidate, seed: int, rate: float, *given: Any) -> float:
    """The share of the words that have a label, in two calls together."""
    ids, vocab, answers = _thrice(candidate, seed, rate, *given)
    words = ~torch.isin(ids, torch.tensor([vocab[piece] for piece in mask_tokens.SPECIAL]))
    chosen = torch.stack([labels[words] != -100 for _, labels, _ in answers[:2]])
    return float(chosen.double().mean())


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
    calls = [call for r in (mask_tokens.MANY, None, 1.0) for call in _fates(candidate, seed, r)]
    if sum(_apart(now, wanted) for now, wanted in calls) < _TOO_NEAR:
        raise wrong(
            "In {} calls, the chosen tokens are shared out far more exactly than chance does it: "
            "as if their numbers were set beforehand.",
            _CALLS,
        )
    for more in range(_MORE + 1):
        seen, expected = (torch.stack(parts).sum(0) for parts in zip(*calls, strict=True))
        if more == _MORE or not _DOUBTFUL < _apart(seen, expected) <= _TOO_FAR:
            break
        calls += _fates(candidate, seed, 1.0, f", {more + 1} more")
    if _apart(seen, expected) > _TOO_FAR:
        shares = (seen / seen.sum()).tolist()
        raise wrong(
            "Of {:,} chosen tokens {:.1%} became [MASK], {:.1%} stayed as they were and {:.1%} "
            "became another piece. Chance does not go so far from 80, 10 and 10%: may two of "
            "your draws fall on the same token?",
            int(seen.sum()),
            *shares,
        )


def _fates(
    candidate: Candidate, seed: int, rate: float | None, more: str = ""
) -> list[tuple[Tensor, Tensor]]:
    """Of two calls: how many chosen tokens met each fate, and how many are expected to."""
    ids, vocab, answers = _thrice(candidate, seed, rate, more)
    special = torch.tensor([vocab[piece] for piece in mask_tokens.SPECIAL])
    same = 0.1 / len(vocab)  # what is drawn may be [MASK], or the piece that stood there
    shares = torch.tensor([0.8 + same, 0.1 + same, 0.1 - 2 * same])
    found = []
    for masked, labels, _ in answers[:2]:  # the third repeats the first
        taken = (labels != -100) & ~torch.isin(ids, special)
        is_mask, is_kept = masked[taken] == vocab["[MASK]"], masked[taken] == ids[taken]
        now = torch.stack([is_mask.sum(), is_kept.sum(), (~is_mask & ~is_kept).sum()])
        found.append((now.float(), taken.sum() * shares))
    return found


def _apart(seen: Tensor, expected: Tensor) -> float:
    """Chi-squared."""
    return float(((seen - expected).square() / expected.clamp(min=1)).sum())


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
        some = Choice(" and ".join(found), 2 ** len(mask_tokens.SPECIAL))
        raise wrong("{} may be chosen.", some)


@check("mask_tokens")
def test_pieces(candidate: Candidate, seed: int) -> None:
    """The pieces that are put in come from the whole vocabulary, evenly, and from nowhere else."""
    shares = _shares(candidate, seed)
    if not (shares["many pieces"] and shares["of the upper half"]):
        raise wrong("Many pieces of the vocabulary are never put in.")
    if not _shares(candidate, seed, 1.0)["all pieces"]:
        raise wrong("At least one piece of the vocabulary is never put in.")
    counts = torch.zeros(_GROUPS)
    for rate in (mask_tokens.MANY, None, 1.0):
        ids, vocab, answers = _thrice(candidate, seed, rate)
        special = torch.tensor([vocab[piece] for piece in mask_tokens.SPECIAL])
        words = torch.tensor(sorted(vocab.values()))
        words = words[~torch.isin(words, special)]
        words = words[: len(words) // _GROUPS * _GROUPS]
        for masked, _, _ in answers[:2]:  # the third repeats the first
            if int(masked.min()) < 0 or int(masked.max()) >= len(vocab):
                raise wrong("Ids are put in that no piece of the vocabulary has.")
            drawn = masked[(masked != ids) & torch.isin(masked, words)]
            places = torch.searchsorted(words, drawn) * _GROUPS // len(words)
            counts += torch.bincount(places, minlength=_GROUPS)
    if _apart(counts, counts.mean().expand(_GROUPS)) > _UNEVEN:
        raise wrong("Some pieces of the vocabulary are put in far more often than others.")


@check("mask_tokens")
def test_each_by_itself(candidate: Candidate, seed: int) -> None:
    """Each token is chosen, and exchanged, by itself: what one draws tells nothing of others."""
    if not _shares(candidate, seed)["a number for each"]:
        raise wrong("Sentences of the same length have the same number of chosen tokens.")
    if all(_shares(candidate, seed, rate)["to the word"] for rate in (mask_tokens.MANY, None)):
        raise wrong(
            "Of thousands of words, exactly the share is chosen that the rate says, in every call, "
            "not one word more or less."
        )
    for rate in (mask_tokens.MANY, None, 1.0):
        found = mask_tokens.together(*_thrice(candidate, seed, rate))
        for together, what in _TOGETHER.items():
            if found[together]:
                raise wrong(
                    "{} hangs together with what is drawn for other tokens, or in the call before. "
                    "How many random numbers does each token need?",
                    known(what),
                )
    for rate in _SHORT_RATES:
        share = _labelled(candidate, seed, rate, ", few words", _SHORT)
        what = f"With rate={rate:g}, in sentences of up to three words, the words that have a label"
        _near(share, rate, what, 0.03)


@check("mask_tokens")
def test_extreme_rates(candidate: Candidate, seed: int, generator: Generator) -> None:
    """With rate 0 nothing is chosen, with rate 1 every word; a rate near 0 chooses hardly any."""
    for rate in (0.0, 1.0):
        share = _shares(candidate, seed, rate)["chosen"]
        if share != rate:
            raise wrong("With rate={:g}, {:.0%} of the words have a label.", rate, share)
    for rate, room in _SMALL.items():
        share = _labelled(candidate, seed, rate)
        if abs(share - rate) > room:
            raise wrong("With rate={:g}, {:.2%} of the words have a label.", rate, share)
    vocab = {piece: number for number, piece in enumerate(("time", *mask_tokens.SPECIAL, "flies"))}
    cases = ((0, 1.0, 0), (6, 1.0, 6), (vocab["[SEP]"], 1.0, -100), (6, 1e-7, -100))
    for word, rate, wanted in cases:
        ids = torch.tensor([[word]])
        got = candidate.through("grader_mask_tokens", ids, vocab, rate, _start(generator))
        wrong_form = mask_tokens.formed(ids, got)
        if wrong_form:
            raise Wrong(message_of(wrong_form))
        if any(int(labels) != wanted for _, labels, _ in got):
            raise wrong(
                "With rate={:g}, a single token of id {} ({}) does not get the label {}.",
                rate,
                word,
                known(next(piece for piece, number in vocab.items() if number == word)),
                wanted,
            )

    many = {piece: number for number, piece in enumerate((*map(str, range(_PIECES)), *vocab))}
    ids = torch.randint(_PIECES, (1, _PIECES), generator=generator)
    for masked, labels, _ in candidate.through("grader_mask_tokens", ids, many, 1.0, 7):
        if not torch.equal(labels, ids) or int(masked.min()) < 0 or int(masked.max()) >= len(many):
            raise wrong(
                "With rate=1, of {0:,} words in one sentence, from {0:,} pieces and more, some "
                "have another label than their id, or become what no piece has.",
                _PIECES,
            )


@check("mask_tokens")
def test_masking_repeats(candidate: Candidate, seed: int) -> None:
    """The same state of the generator gives the same answer, and each call moves it on."""
    shares = _shares(candidate, seed)
    repeats(shares["the same again"], shares["moves on"])


@check("mask_tokens")
def test_ids_stay(candidate: Candidate, seed: int) -> None:
    """The ids that were given stay as they are, and may lie in memory in any way."""
    if not _shares(candidate, seed)["input kept"]:
        raise wrong("After the call, input_ids is no longer what it was: it was changed in place.")
    generator = generator_for(seed, "laid out")
    ids, vocab = mask_tokens.sentences(generator, 3, 5, 12)
    args = ids, vocab, mask_tokens.MANY, _start(generator)
    got = candidate.through("grader_mask_tokens", *args, strided=True)
    if wrong_form := mask_tokens.formed(ids, got):  # what is drawn may hang on the layout
        raise Wrong(message_of(wrong_form))


def repeats(same: bool, moves: bool) -> None:
    """Calls from the same state agree, and a state moves on."""
    if not same:
        raise wrong(
            "Called twice with generators of the same seed, it gives two answers: some random "
            "number comes from elsewhere, or something is left of an earlier call."
        )
    if not moves:
        raise wrong("Called twice with the same generator, it draws the same numbers again.")
