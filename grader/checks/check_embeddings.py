"""Hidden checks of chapter 02's functions: the one-hot product and the encoding of positions."""

import torch
from torch import Generator

from ..candidate.candidate import Candidate
from ..candidate.failures import CandidateError
from . import Reference, check
from .expect import again, agree, answers, gradients, normal, sized, untouched

WAVE_TOLERANCE = 1e-4  # float32 angles at position 40
FAR_TOLERANCE = 5e-3  # and at position 700
VERY_FAR_TOLERANCE = 5e-2  # and at position 4500


@check("embed_one_hot", weight=3, essential=True)
def test_lookup(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every token gets the row of the table that belongs to its id."""
    for batch, seq, vocab, hidden in ((2, 3, 11, 5), (3, 5, 7, 4), (1, 4, 13, 6)):
        ids = torch.randint(0, vocab - 1, (batch, seq), generator=generator)
        ids[0, 0] = 0
        table = normal(generator, vocab, hidden)
        sizes = sized(batch=batch, seq=seq, vocab=vocab, hidden=hidden)
        answers(candidate, reference, ids, table, sizes=sizes)
    again(candidate, ids, table)


@check("embed_one_hot")
def test_lookup_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The first and the last id work, a square table too, and a repeated token repeats its row."""
    table = normal(generator, 5, 5)
    ids = torch.tensor([[0, 4, 2, 2], [4, 1, 3, 0]])
    answers(candidate, reference, ids, table, what="With a square table")
    one = torch.tensor([[3]])
    answers(candidate, reference, one, normal(generator, 5, 1), what="With a single token")


@check("embed_one_hot")
def test_lookup_dtype(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The result has the table's dtype."""
    ids, table = torch.tensor([[3, 0, 1], [2, 2, 4]]), normal(generator, 5, 4).double()
    try:
        got = candidate(ids, table)
    except CandidateError:  # who multiplies by float32 is told so by PyTorch; nothing comes out
        return
    agree(got, reference(ids, table), what="With a table of float64")


@check("embed_one_hot")
def test_lookup_stays(candidate: Candidate, generator: Generator) -> None:
    """Ids and table stay as they are."""
    outcome = candidate.run(torch.tensor([[3, 0, 1]]), normal(generator, 6, 4))
    untouched(outcome, "token_ids", "table")


@check("embed_one_hot")
def test_lookup_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients reach the rows of the table that were used."""
    ids, table = torch.tensor([[3, 0, 1], [3, 3, 5]]), normal(generator, 7, 4)
    gradients(candidate, reference, ids, table, generator=generator, names=("table",))


@check("sinusoidal_encoding", weight=3, essential=True)
def test_waves(candidate: Candidate, reference: Reference) -> None:
    """Sine and cosine alternate, and each pair's wave is longer than the last one's."""
    for max_len, hidden in ((5, 8), (9, 4), (12, 6), (40, 16)):
        sizes = sized(max_len=max_len, hidden_size=hidden)
        answers(candidate, reference, max_len, hidden, tolerance=WAVE_TOLERANCE, sizes=sizes)
    again(candidate, 5, 8)


@check("sinusoidal_encoding")
def test_waves_small(candidate: Candidate, reference: Reference) -> None:
    """A single pair of features and a single position work too."""
    answers(candidate, reference, 7, 2, tolerance=WAVE_TOLERANCE)
    answers(candidate, reference, 1, 6, tolerance=WAVE_TOLERANCE)


@check("sinusoidal_encoding")
def test_waves_prefix(candidate: Candidate, reference: Reference) -> None:
    """A longer table begins with the shorter one."""
    expected = reference(30, 12)
    answers(candidate, reference, 30, 12, tolerance=WAVE_TOLERANCE)
    agree(candidate(10, 12), expected[:10], WAVE_TOLERANCE, what="With fewer positions")


@check("sinusoidal_encoding")
def test_waves_far(candidate: Candidate, reference: Reference) -> None:
    """A long table goes to its end."""
    answers(candidate, reference, 700, 6, tolerance=FAR_TOLERANCE)
    answers(candidate, reference, 4500, 4, tolerance=VERY_FAR_TOLERANCE)
