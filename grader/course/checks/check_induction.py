"""Hidden checks of chapter 12: which head goes on where the same token stood before."""

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, answers, untouched
from ...marking.inputs import apart_by_bits, between, one_large, sized
from ..misconceptions.induction_score import causal

LAST_ID = 20_000_000  # 32-bit floats take it and the one before for one number


def _ids(generator: Generator, batch: int, seq: int, vocab: int) -> Tensor:
    """Few tokens, so that many recur, and not equally often in every sequence."""
    ids = torch.randint(vocab, (batch, seq), generator=generator)
    ids[-1] = torch.randint(2, (seq,), generator=generator)
    return ids


@check("induction_score", weight=3, essential=True)
def test_score(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each head's score is its mean attention to what came after the same token before."""
    for batch, heads, seq, vocab in ((2, 3, 7, 5), (3, 2, 8, 6), (1, 4, 9, 4), (4, 2, 5, 9)):
        attention = causal(generator, batch, heads, seq)
        ids = _ids(generator, batch, seq, vocab)
        sizes = sized(batch=batch, heads=heads, seq=seq)
        answers(candidate, reference, attention, ids, sizes=sizes)
    again(candidate, attention, ids)


@check("induction_score", weight=2)
def test_score_repeated(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A head that does nothing else gets 1, and one that looks elsewhere gets 0."""
    length = between(generator, 3, 6)
    row = torch.randperm(length, generator=generator).repeat(2)  # all different, then all again
    perfect = torch.eye(2 * length)
    for place in range(length):
        perfect[length + place] = torch.eye(2 * length)[place + 1]
    previous = torch.eye(2 * length).roll(1, 0)
    previous[0] = torch.eye(2 * length)[0]
    same = torch.eye(2 * length)
    same[length:] = torch.eye(2 * length)[:length]
    at_times = perfect.clone()
    at_times[length : length + between(generator, 1, length - 1)] = previous[0]
    heads = torch.stack((perfect, previous, same, torch.eye(2 * length), at_times))[None]
    what = (
        "For a head that only goes on, one for the token before, one for the same token, itself, "
        "and one that goes on at times"
    )
    answers(candidate, reference, heads, row[None], what=what)


@check("induction_score")
def test_score_counted(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every position that has a target counts the same, in whatever sequence; others do not."""
    ids = torch.tensor([[1, 1, 1, 1, 1, 1], [0, 1, 2, 3, 4, 0], [0, 1, 2, 3, 4, 5]])
    for order in ([0, 1, 2], [2, 0, 1], [1, 2]):
        attention = causal(generator, len(order), 2, 6)
        answers(candidate, reference, attention, ids[order], what="With much and little recurring")


@check("induction_score")
def test_score_neighbours(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Where neighbours are equal, a position may be its own target."""
    ids = torch.tensor([[2, 2, 3, 3, 2], [4, 1, 1, 1, 4]])
    answers(candidate, reference, causal(generator, 2, 3, 5), ids, what="With equal neighbours")


@check("induction_score")
def test_score_nothing(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Where nothing recurs, every score is 0."""
    rows = torch.stack([torch.randperm(6, generator=generator) for _ in range(2)])
    answers(candidate, reference, causal(generator, 2, 3, 6), rows, what="Where nothing recurs")
    one = torch.ones(1, 2, 1, 1), torch.zeros(1, 1).long()
    answers(candidate, reference, *one, what="For a single token")
    first = rows.clone()
    first[:, -1] = first[:, 0]  # the only earlier one is the very first token
    attention = causal(generator, 2, 3, 6)
    answers(candidate, reference, attention, first, what="Where the first token comes again")


@check("induction_score")
def test_score_far(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A token may recur after more than a hundred others, and ids may be of any size."""
    one = 65_000 + torch.randperm(130, generator=generator)
    ids = torch.cat([one, one[:20]])[None]
    attention = causal(generator, 1, 2, 150)
    answers(candidate, reference, attention, ids, what="With far recurrences and large ids")
    # Few, as one-hot rows of them are huge.
    three = LAST_ID - torch.cat([torch.arange(2), torch.randint(4, (1,), generator=generator)])
    answers(candidate, reference, causal(generator, 1, 2, 3), three[None], what="With huge ids")
    three = apart_by_bits(16, 24)
    what = "With ids that share their last bits"
    answers(candidate, reference, causal(generator, 1, 2, 3), three, what=what)
    for batch, heads in one_large(generator, 2, 3):
        attention, ids = causal(generator, batch, heads, 4), _ids(generator, batch, 4, 3)
        what = f"For {batch} sequences and {heads} heads"
        answers(candidate, reference, attention, ids, what=what)


@check("induction_score")
def test_score_stays(candidate: Candidate, generator: Generator) -> None:
    """Attention and ids stay as they are, and may lie in memory in any way."""
    attention, ids = causal(generator, 2, 3, 6), _ids(generator, 2, 6, 4)
    untouched(candidate, attention, ids)
