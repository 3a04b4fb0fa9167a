"""Check of MaskedLanguageModel: what stands between the encoder and the token table."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Generator, Tensor
from torch.nn import functional as F

from ...candidate.candidate import Candidate
from ...candidate.message import say
from ...diagnosis.sameness import near
from ...marking.check import check
from ...marking.expect import Waits, wrong
from ...marking.inputs import normal
from ..misconceptions.masked_language_model import SIZES, call

_TOLERANCE = 5e-3  # ε is free


@check("MaskedLanguageModel")
def test_masked_model_head(candidate: Candidate, generator: Generator) -> None:
    """Between the encoder and the table stands what BERT has there, in its order, or nothing."""
    sizes, weights, _, _, vectors, *_ = call(generator)
    hidden, vocab = sizes["hidden_size"], sizes["vocab_size"]
    tables = torch.zeros(vocab, hidden), torch.eye(vocab, hidden)
    (bias, logits), numbers = _answer(candidate, sizes, weights, vectors, tables)
    made = (logits - bias)[..., :hidden]
    if near(made, vectors, _TOLERANCE):
        return
    maps = [each for each in numbers if each.shape == (hidden, hidden)]
    rows = [each for each in numbers if each.shape == (hidden,)]
    others = [each for each in numbers if each.numel() not in (hidden, hidden**2, vocab)]
    if others:  # several in one tensor, perhaps
        return
    if not any(near(made, one, _TOLERANCE) for one in _right(vectors, maps, rows)):
        raise wrong(
            "What is multiplied with the table is neither the encoder's vector nor a LayerNorm of "
            "a GELU of a linear map of it, whichever of the head's numbers is which."
        )


def by_products(candidate: Candidate, generator: Generator) -> None:
    """Raise Wrong unless each position's logits are products of one vector with a table's rows.

    All is compared here: what the harness says of such comparisons, code beside it may have chosen.
    """
    sizes, weights, _, _, vectors, order, *_ = call(generator)
    tables = [normal(generator, sizes["vocab_size"], sizes["hidden_size"]) for _ in range(2)]
    logits, _ = _answer(candidate, sizes, weights, vectors, tables)
    (moved, _), _ = _answer(candidate, sizes, weights, vectors[:, order], tables)
    (one, other), (first, second) = (map(Tensor.double, each) for each in (logits, tables))
    apart = (other - one).flatten(0, 1)
    made = torch.linalg.lstsq(second - first, apart.T).solution.T
    bias = one.flatten(0, 1) - made @ first.T
    differ = torch.pdist(made).min() > _TOLERANCE  # as the vectors of any two positions do
    rows = made @ (second - first).T, bias[:1].expand_as(bias)
    if not (differ and near(apart, rows[0], _TOLERANCE) and near(bias, rows[1], _TOLERANCE)):
        raise wrong("The scores of pieces are not dot products with their rows, plus a bias.")
    if not near(moved.double(), one[:, order], _TOLERANCE):
        raise wrong("The scores of a position hang on the vectors of others.")


def least_sizes(candidate: Candidate) -> None:
    """Raise Wrong unless it scores one piece by one feature, of a sentence of one token."""
    sizes = {name: 1 for name, size in SIZES.items() if isinstance(size, int) and size}
    one = torch.ones(1, 1, 1)
    (logits,), _ = _answer(candidate, SIZES | sizes, torch.ones(20_000), one, [one[0]])
    if not logits.isfinite().all():
        raise wrong("Where every size is 1, a score is not finite.")


def _answer(
    candidate: Candidate, sizes: Any, weights: Tensor, vectors: Tensor, tables: Sequence[Tensor]
) -> tuple[list[Tensor], list[Tensor]]:
    """The logits for these vectors by each table, and the head's own numbers."""
    got: Any = candidate.through("grader_head", sizes, weights, vectors, list(tables))
    wanted = (*vectors.shape[:2], sizes["vocab_size"])
    logits = [each for each in got["logits"] if isinstance(each, Tensor) and each.shape == wanted]
    if len(logits) < len(tables):
        raise Waits(say("Its logits have not the right shape yet."))
    return logits, [each.squeeze() for each in got["numbers"]]


def _right(vectors: Tensor, maps: list[Tensor], rows: list[Tensor]) -> Iterator[Tensor]:
    """What BERT's head makes of the vectors, whichever of its numbers is which."""
    for weight, three in itertools.product(maps, itertools.permutations(rows, 3)):
        bias, scale, shift = three
        for turned, way in itertools.product((weight, weight.T), ("none", "tanh")):
            mapped = F.gelu(F.linear(vectors, turned, bias), approximate=way)
            yield F.layer_norm(mapped, mapped.shape[-1:], scale, shift, eps=1e-12)
