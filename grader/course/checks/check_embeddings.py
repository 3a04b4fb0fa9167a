"""Hidden checks of chapter 02: the one-hot product, the encoding of positions, a long sentence."""

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...marking.check import Reference, check
from ...marking.expect import again, agree, answers, gradients, untouched, wrong
from ...marking.facts import kind_of
from ...marking.inputs import between, large, normal, one_large, sized
from ...worker.values import Config
from ..modules.sizes import STACK, config
from .check_modules import each

WAVE_TOLERANCE = 1e-4  # float32 angles at position 40
FAR_TOLERANCE = 5e-3  # and at position 700
VERY_FAR_TOLERANCE = 5e-2  # and at position 5600
FEW = 9  # tokens of a short sentence
ODD_WIDTHS = (98, 196, 206, 214, 392, 394, 412)  # where steps of 2 / width, summed up, miss 1


@check("embed_one_hot", weight=3, essential=True)
def test_lookup(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Every token gets the row of the table that belongs to its id."""
    for batch, seq, vocab, hidden in ((2, 3, 11, 5), (3, 5, 7, 4), (1, 4, 13, 6), (3, 5, 7, 4)):
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
    one = torch.zeros(2, 3).long()
    answers(candidate, reference, one, normal(generator, 1, 4), what="With a vocabulary of one")
    for batch, seq, hidden in one_large(generator, 1, 2, 3):
        many = torch.randint(4, (batch, seq), generator=generator), normal(generator, 4, hidden)
        case = f"For ids of shape {list(many[0].shape)} and vectors of width {hidden}"
        answers(candidate, reference, *many, what=case)
    table[[0, 2]] = 0
    answers(candidate, reference, ids, table, what="With zeros in two rows of the table")


@check("embed_one_hot")
def test_lookup_dtype(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """The result has the table's dtype."""
    ids, table = torch.tensor([[3, 0, 1], [2, 2, 4]]), normal(generator, 5, 4).double()
    table[0] *= 1e300  # more than a float32 may be
    try:
        got = candidate(ids, table)
    except CandidateError:  # who multiplies by float32 is told so by PyTorch; nothing comes out
        return
    agree(got, reference(ids, table), what="With a table of float64")


@check("embed_one_hot")
def test_lookup_stays(candidate: Candidate, generator: Generator) -> None:
    """Ids and table stay as they are, and may lie in memory in any way."""
    ids, table = torch.tensor([[3, 0, 1], [2, 5, 0]]), normal(generator, 6, 4)
    untouched(candidate, ids, table)


@check("embed_one_hot")
def test_lookup_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients reach the rows of the table that were used."""
    ids, table = torch.tensor([[3, 0, 1], [3, 3, 5]]), normal(generator, 7, 4)
    gradients(candidate, reference, ids, table, generator=generator)


@check("sinusoidal_encoding", weight=3, essential=True)
def test_waves(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Sine and cosine alternate, and each pair's wave is longer than the last one's."""
    for longest, widest in ((7, 5), (12, 3), (20, 4), (40, 10)):
        max_len = between(generator, longest // 2, longest)
        hidden = 2 * between(generator, 2, widest)
        max_len += max_len == hidden
        sizes = sized(max_len=max_len, hidden_size=hidden)
        answers(candidate, reference, max_len, hidden, tolerance=WAVE_TOLERANCE, sizes=sizes)
    again(candidate, max_len, hidden)


@check("sinusoidal_encoding")
def test_waves_small(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A single pair of features and a single position work too, and each size has its own table."""
    answers(candidate, reference, between(generator, 3, 40), 2, tolerance=WAVE_TOLERANCE)
    answers(candidate, reference, 1, 2 * between(generator, 4, 20), tolerance=WAVE_TOLERANCE)
    odd = ODD_WIDTHS[between(generator, 0, len(ODD_WIDTHS) - 1)]
    for hidden in (6, 4, 2, 2 * between(generator, 260, 400), odd, 6):
        answers(candidate, reference, 5, hidden, tolerance=WAVE_TOLERANCE)


@check("sinusoidal_encoding")
def test_waves_prefix(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A longer table begins with the shorter one."""
    few, hidden = between(generator, 5, 15), 2 * between(generator, 3, 10)
    many = few + between(generator, 5, 25)
    expected = reference(many, hidden)
    answers(candidate, reference, many, hidden, tolerance=WAVE_TOLERANCE)
    agree(candidate(few, hidden), expected[:few], WAVE_TOLERANCE, what="With fewer positions")


@check("sinusoidal_encoding")
def test_waves_far(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A long table goes to its end."""
    far, farther = between(generator, 600, 700), between(generator, 5001, 5600)
    answers(candidate, reference, far, 6, tolerance=FAR_TOLERANCE)
    answers(candidate, reference, farther, 4, tolerance=VERY_FAR_TOLERANCE)


@each(("Embeddings",))
def test_many_positions(exercise: str, candidate: Candidate, generator: Generator) -> None:
    """Where the config has more than a thousand positions, sentences of as many are embedded."""
    many = large(generator)
    fields = {**config().fields, "max_position_embeddings": many}
    module = candidate.build(Config(fields))
    ids = torch.randint(1, STACK.vocab, (1, many), generator=generator)
    got = module(ids)
    if not isinstance(got, Tensor) or got.shape != (1, many, STACK.layer.hidden):
        raise wrong("For {} tokens it returns {}.", many, kind_of(got))
    what = f"For {many} tokens, the first {FEW} of them, which are embedded otherwise alone"
    agree(got[:, :FEW], module(ids[:, :FEW]), what=what)
