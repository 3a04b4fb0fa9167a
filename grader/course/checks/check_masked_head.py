"""Check of MaskedLanguageModel: what stands between the encoder and the token table."""

import itertools
from collections.abc import Iterator
from typing import Any

from torch import Generator, Tensor
from torch.nn import functional as F

from ...candidate.candidate import Candidate
from ...candidate.message import say
from ...checks import check
from ...checks.expect import Waits, wrong
from ...diagnosis.sameness import near
from ..misconceptions.masked_language_model import call

_TOLERANCE = 5e-3  # ε is free


@check("MaskedLanguageModel")
def test_masked_model_head(candidate: Candidate, generator: Generator) -> None:
    """Between the encoder and the table stands what BERT has there, in its order, or nothing."""
    sizes, weights, _, _, vectors, *_ = call(generator)
    got: Any = candidate.through("grader_head", sizes, weights, vectors)
    made, numbers = got["made"], [each.squeeze() for each in got["numbers"]]
    if not isinstance(made, Tensor) or made.shape != vectors.shape:
        raise Waits(say("Its logits have not the right shape yet."))
    if near(made, vectors, _TOLERANCE):
        return
    hidden, vocab = sizes["hidden_size"], sizes["vocab_size"]
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


def _right(vectors: Tensor, maps: list[Tensor], rows: list[Tensor]) -> Iterator[Tensor]:
    """What BERT's head makes of the vectors, whichever of its numbers is which."""
    for weight, three in itertools.product(maps, itertools.permutations(rows, 3)):
        bias, scale, shift = three
        for turned, way in itertools.product((weight, weight.T), ("none", "tanh")):
            mapped = F.gelu(F.linear(vectors, turned, bias), approximate=way)
            yield F.layer_norm(mapped, mapped.shape[-1:], scale, shift, eps=1e-12)
