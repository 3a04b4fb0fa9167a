"""Hidden checks of chapter 03's functions: scaled dot products and the two masks."""

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, answers, gradients, untouched
from ...marking.inputs import between, normal, one_large, sized

# Pairwise different in every row, so that no wrong axis fits; the last has more queries than keys.
SIZES = ((2, 3, 5, 7), (3, 5, 4, 2), (1, 2, 3, 16), (4, 6, 2, 3))
LONG = 515, 530  # tokens, more than BERT takes


@check("attention_scores", weight=3, essential=True)
def test_values(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Scores are scaled dot products of every query with every key of the same sentence."""
    for batch, queries, keys, width in (*SIZES, SIZES[0]):
        query = normal(generator, batch, queries, width)
        key = normal(generator, batch, keys, width)
        sizes = sized(batch=batch, query=queries, key=keys, d_k=width)
        answers(candidate, reference, query, key, sizes=sizes)
    again(candidate, query, key)


@check("attention_scores")
def test_square(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """As many keys as queries make no difference, and a single one of each is no exception."""
    query, key = normal(generator, 2, 4, 3), normal(generator, 2, 4, 3)
    answers(candidate, reference, query, key, sizes=sized(batch=2, seq=4, d_k=3))
    one = normal(generator, 1, 1, 1), normal(generator, 1, 1, 1)
    answers(candidate, reference, *one, what="With one query, one key and d_k = 1")
    query[0, 1] = query[:, 3] = key[1, 2] = key[:, 0] = 0
    answers(candidate, reference, query, key, what="With queries, and keys, of zeros")
    given = 30 * query, 30 * key
    answers(candidate, reference, *given, tolerance=1e-3, what="With long queries and keys")
    # Products of one sign: where large ones cancel, right formulations round otherwise.
    query, key = (torch.randint(1, 10, (2, n, 3), generator=generator) * 1e3 for n in (4, 5))
    key[:, ::2] *= -1
    answers(candidate, reference, query, key, what="With very long queries and keys")
    for batch, queries, keys, width in one_large(generator, 1, 2, 3, 2):
        many = normal(generator, batch, queries, width), normal(generator, batch, keys, width)
        case = f"For {batch} sentences, {queries} queries, {keys} keys and d_k = {width}"
        answers(candidate, reference, *many, tolerance=1e-4, what=case)


@check("attention_scores")
def test_inputs_stay(candidate: Candidate, generator: Generator) -> None:
    """Query and key stay as they are, and may lie in memory in any way."""
    query, key = normal(generator, 2, 3, 4), normal(generator, 2, 5, 4)
    untouched(candidate, query, key)


@check("attention_scores")
def test_gradients(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to queries and keys."""
    query, key = normal(generator, 2, 3, 4), normal(generator, 2, 5, 4)
    for given in ((query, key), (0 * query, 0 * key)):
        gradients(candidate, reference, *given, generator=generator)


def _tokens(generator: Generator, batch: int, seq: int) -> Tensor:
    """Rows of ones, then zeros: the first row is padded, the last is not."""
    lengths = torch.randint(1, seq, (batch, 1), generator=generator)
    lengths[-1] = seq
    return (torch.arange(seq) < lengths).long()


@check("padding_mask", weight=3, essential=True)
def test_padding(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Padded keys are hidden from every query of their own sentence: bool, [batch, 1, seq]."""
    for batch, seq in ((2, 5), (4, 3), (3, 7), (4, 3)):
        given = _tokens(generator, batch, seq)
        answers(candidate, reference, given, sizes=sized(batch=batch, seq=seq))
    again(candidate, given)


@check("padding_mask")
def test_padding_bool(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """It takes bools and other integers as well, and padding may stand anywhere."""
    given = torch.randint(2, (2, between(generator, 4, 9)), generator=generator)
    given[:, 0], given[:, 2] = torch.tensor([0, 1]), torch.tensor([1, 0])
    answers(candidate, reference, given.bool(), what="With a bool mask")
    answers(candidate, reference, given.int(), what="With padding on the left and in between")
    answers(candidate, reference, torch.ones(1, 1).long(), what="For a single token")
    answers(candidate, reference, torch.ones(3, 4).bool(), what="Without any padding")
    given[0] = 0
    for mask in (given, given.bool(), given.to(torch.uint8), given.to(torch.int8)):
        answers(candidate, reference, mask, what="With a sentence that is padding alone")


@check("padding_mask")
def test_padding_stays(candidate: Candidate) -> None:
    """The tokenizer's mask stays as it is, and may lie in memory in any way."""
    given = torch.tensor([[1, 1, 0], [1, 1, 1]])
    for mask in (given, given.bool()):
        untouched(candidate, mask)


@check("causal_mask", weight=3, essential=True)
def test_causal(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each position may attend to itself and to what came before: bool, [seq, seq]."""
    for least, most in ((3, 5), (6, 12), (2, 2), (13, 40), (3, 5)):
        length = between(generator, least, most)
        answers(candidate, reference, length, sizes=sized(seq=length))
    again(candidate, length)


@check("causal_mask")
def test_causal_single(candidate: Candidate, reference: Reference) -> None:
    """A single token may attend to itself."""
    answers(candidate, reference, 1)


@check("causal_mask")
def test_causal_long(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A long sentence is masked to its end."""
    length = between(generator, *LONG)
    answers(candidate, reference, length, what=f"For {length} tokens")
