"""Checks of functions at the limits of what they promise: a table says what is asked of each."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Generator

from ...candidate.candidate import Candidate
from ...diagnosis.tolerances import FUNCTION
from ...marking.check import Reference
from ...marking.expect import HUGE, STABLE, answers, gradients, wrong
from ...marking.inputs import (
    BEYOND_HALF,
    apart_by_bits,
    away_from_0,
    between,
    large,
    normal,
    one_far_above,
)
from ..misconceptions.induction_score import causal
from .check_modules import each

FARTHEST = 1e30  # the contracts promise numbers up to here; larger ones may overflow in a sum
LAST = 3e38  # nearly the largest of 32 bits, where numbers are moved and not reckoned with
LAST_TOKEN = 10**15  # of a sealed machine's rule; 64-bit floats still tell it from the one before
LAST_LOGIT = 50_000.0  # of a loss, which may sum large numbers before it takes others away
_APART = "Beside {} whose numbers are a thousand million times as large"


class Call(NamedTuple):
    """One call, how far right formulations may differ in it, and whether gradients are asked for.

    Where these are rounded by right ones too, they have to be finite alone.
    """

    what: str
    args: tuple[Any, ...]
    tolerance: float = FUNCTION
    gradient: bool = False
    rounds: bool = False


_Calls = Iterator[Call]


def _sentence_vector(generator: Generator) -> _Calls:
    x = normal(generator, 3, 4, 3)
    for dim, beside in ((0, "a sentence"), (2, "a feature")):
        yield Call(_APART.format(beside), (one_far_above(x, dim),))
    yield Call(f"For {BEYOND_HALF} tokens", (1 + normal(generator, 1, BEYOND_HALF, 1),))


def _embed_one_hot(generator: Generator) -> _Calls:
    # So many that 16-bit floats take some for others; few, as a matrix of all of them is huge.
    ids = torch.tensor([[2_049, 2_099, 0], [2_050, 2_051, 1_025]])
    yield Call("With 2,100 tokens", (ids, normal(generator, 2_100, 2)))
    table = normal(generator, 5, 4)
    table[1], table[3] = LAST, -LAST
    ids = torch.tensor([[0, 1, 2], [3, 4, 0]])
    yield Call("With rows of 3e38 and −3e38 in the table", (ids, table))


def _attention_scores(generator: Generator) -> _Calls:
    query, key = normal(generator, 3, 4, 5), normal(generator, 3, 6, 5).abs()
    for dim, beside in ((0, "a sentence"), (1, "a query")):
        yield Call(_APART.format(beside), (one_far_above(query, dim), key))
    yield Call(_APART.format("a key"), (query.abs(), one_far_above(key, 1)))


def _padding_mask(generator: Generator) -> _Calls:
    for shape in ((2, large(generator)), (large(generator), 2)):
        mask = torch.randint(2, shape, generator=generator)
        yield Call(f"For {shape[0]} sentences of {shape[1]} tokens", (mask,))
    for kind in (torch.long, torch.uint8, torch.bool):
        yield Call("With nothing but padding", (torch.zeros(2, 3, dtype=kind),))


def _softmax(generator: Generator) -> _Calls:
    rows = torch.tensor([[1.0, 2.0, 0.0], [LAST, -LAST, 1e38], [-LAST, -1e38, LAST], [0, 0, -1]])
    rows = rows[torch.randperm(4, generator=generator)]
    columns = rows.T.contiguous()
    for given, where in (((rows, -1), "rows"), ((columns, 0), "columns")):  # logarithms round here
        what = f"With {where} of 3e38 and −3e38 among others"
        yield Call(what, given, gradient=True, rounds=True)


def _masked_softmax(generator: Generator) -> _Calls:
    near = torch.randint(-4, 1, (3, 4, 5), generator=generator).float()
    scores = near + torch.tensor([0.0, 20_000, -19_996]).view(3, 1, 1)
    mask = torch.tensor([[[1, 1, 0, 1, 1]], [[0, 1, 1, 1, 0]], [[1, 0, 1, 0, 1]]])
    yield Call("With sentences near 0, 20000 and −20000", (scores, mask), HUGE)


def _attention(generator: Generator) -> _Calls:
    query, key = normal(generator, 3, 4, 5), normal(generator, 3, 6, 5)
    value = normal(generator, 3, 6, 3)
    for dim, beside in ((0, "a sentence"), (2, "a feature")):
        given = query, key, one_far_above(value, dim)
        yield Call(_APART.format(f"{beside} of the values"), given, 1e-4)


def _split_heads(generator: Generator) -> _Calls:
    for number in (LAST, -LAST):
        x = normal(generator, 2, 3, 6)
        x[0, 1, ::2] = number
        yield Call(f"With numbers of {number:g}", (x, 3), 0.0)


def _merge_heads(generator: Generator) -> _Calls:
    for number in (LAST, -LAST):
        x = normal(generator, 2, 3, 4, 2)
        x[0, 1, ::2] = number
        yield Call(f"With numbers of {number:g}", (x,), 0.0)


def _gelu(generator: Generator) -> _Calls:
    x = normal(generator, 2, 4)
    x[0, 1], x[1, 2] = FARTHEST, -FARTHEST
    yield Call("With 1e30 and −1e30 among others", (x,), gradient=True)


def _cross_entropy(generator: Generator) -> _Calls:
    logits = torch.tensor([[0.0, LAST_LOGIT, -LAST_LOGIT], [LAST_LOGIT, -LAST_LOGIT, 0.0]])
    for labels in ([1, 0], [2, 1], [1, 2]):
        given = logits, torch.tensor(labels)
        yield Call("With logits of 50000 and −50000", given, STABLE, True)


def _next_token_loss(generator: Generator) -> _Calls:
    for call in _cross_entropy(generator):
        logits, goals = call.args
        ids = torch.cat((goals[:1], goals))[None]
        yield call._replace(args=(torch.cat((logits, logits[:1]))[None], ids))


def _sequence_log_prob(generator: Generator) -> _Calls:
    scores, goal = normal(generator, 3, 4, 5), torch.tensor([[1, 2, 0, 0], [4, 0, 3, 1], [2] * 4])
    far = scores.clone()
    far[goal == 0] = torch.tensor([-FARTHEST, FARTHEST, 0.0, 1.0, FARTHEST])
    what = "With scores of 1e30 and −1e30 at the padding"
    yield Call(what, (far, goal, 0), 1e-4, True)
    what = "With scores up to 1e30"
    yield Call(what, (FARTHEST * scores / scores.abs().max(), goal, 0), 1e-4)
    loud = one_far_above(scores)
    goal[1] = loud[1].argmin(-1)
    yield Call(_APART.format("a text"), (loud, goal, 0), 1e-4, True)
    size = large(generator)
    long = normal(generator, 1, size, 3), torch.arange(size)[None] % 3, 2
    yield Call(f"For {size} places", long, 1e-4)
    many = normal(generator, 1, 2, 30_522), torch.tensor([[30_521, 2_049]]), 0
    yield Call("With a vocabulary like BERT's", many, 1e-4)


def _mean_pool(generator: Generator) -> _Calls:
    x, mask = normal(generator, 3, 4, 3), torch.tensor([[1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 0]])
    for dim, beside in ((0, "a sentence"), (2, "a feature")):
        yield Call(_APART.format(beside), (one_far_above(x, dim), mask))
    many = torch.ones(1, BEYOND_HALF).long()
    yield Call(f"For {BEYOND_HALF} tokens", (1 + normal(generator, 1, BEYOND_HALF, 1), many))


def _linear_probe(generator: Generator) -> _Calls:
    words, asked = normal(generator, 9, 3) + 1, normal(generator, 4, 3)
    labels = (torch.arange(9) % 3 == 0).long()
    asked[1] = 1e9 * (words[labels == 1].mean(0) - words[labels == 0].mean(0))  # none cancels
    yield Call(_APART.format("a question"), (words, labels, asked, 2.0), 2e-4)
    for ridge in (0.01, 1e7):
        yield Call(f"With a ridge of {ridge:g}", (words, labels, asked[2:], ridge), 2e-4)
    far = words.clamp(-1, 1) * 30
    far[labels.argmax(), 0], far[labels.argmin(), 0] = 30, -30
    yield Call("With numbers from −30 to 30", (far, labels, asked[2:], 2.0), 2e-4)
    many = normal(generator, large(generator), 3)
    yield Call(f"Asked of {len(many)} vectors", (words, labels, many, 2.0), 2e-4)


def _patch_head(generator: Generator) -> _Calls:
    for place, where in ((0, "in what was found"), (1, "put in")):
        given = [normal(generator, 2, 3, 6) for _ in range(2)]
        given[place][0, :, ::2], given[place][1, :, 1::2] = LAST, -LAST
        yield Call(f"With numbers of 3e38 and −3e38 {where}", (*given, 1, 3), 0.0)


def _share_of_way(generator: Generator) -> _Calls:
    patched, start = normal(generator, 3, 5), normal(generator, 5)
    goal = start + away_from_0(generator, 5)
    goal[0], goal[3] = start[0] + 2, start[3]
    for number in (FARTHEST, -FARTHEST):
        far = patched.clone()
        far[1, 3] = number
        yield Call(f"With {number:g} at a pair without a way", (far, start, goal))
    up = start, start + (goal - start).abs()
    yield Call(_APART.format("a change"), (one_far_above(patched), *up))


def _induction_score(generator: Generator) -> _Calls:
    size = large(generator)
    weights = torch.rand(1, 1, size, size, generator=generator).tril()
    ids = torch.randint(300, (1, size), generator=generator)
    ids[0, -1] = ids[0, 0]
    yield Call(f"For {size} tokens", (weights / weights.sum(-1, keepdim=True), ids))
    # One token again and again: 71 occurrences, and more counted positions than 16 bits tell.
    alike = causal(generator, 29, 1, 72)
    yield Call("With sequences of one token 72 times", (alike, torch.full((29, 72), 7)))


def _sealed(generator: Generator) -> _Calls:
    rows = LAST_TOKEN - torch.randint(5, (3, 6), generator=generator)
    rows[1] = torch.tensor([1, LAST_TOKEN, 3, LAST_TOKEN - 1, 2, LAST_TOKEN]).roll(int(rows[0, 0]))
    yield Call("With tokens near 10¹⁵", (rows,))
    ends = LAST_TOKEN * torch.randint(2, (7, 5), generator=generator)
    ends[:, 0] = LAST_TOKEN * (torch.arange(7) % 2 == 0)
    yield Call("With no token but 0 and 10¹⁵", (ends,))
    yield Call("With tokens that share their last bits", (apart_by_bits(8, 16, 24, 32, 48),))
    for shape in ((1, large(generator)), (large(generator), 3)):
        rows = torch.randint(10, shape, generator=generator)
        yield Call(f"For {shape[0]} rows of {shape[1]}", (rows,))


def _causal_mask(generator: Generator) -> _Calls:
    yield Call("For 800 tokens", (800,))


def _sinusoidal_encoding(generator: Generator) -> _Calls:
    hidden = 2 * between(generator, 513, 600)
    yield Call(f"For vectors of width {hidden}", (3, hidden), 1e-4)


LIMITS: dict[str, Callable[[Generator], _Calls]] = {
    "sentence_vector": _sentence_vector,
    "embed_one_hot": _embed_one_hot,
    "sinusoidal_encoding": _sinusoidal_encoding,
    "attention_scores": _attention_scores,
    "padding_mask": _padding_mask,
    "causal_mask": _causal_mask,
    "softmax": _softmax,
    "masked_softmax": _masked_softmax,
    "scaled_dot_product_attention": _attention,
    "split_heads": _split_heads,
    "merge_heads": _merge_heads,
    "gelu": _gelu,
    "cross_entropy": _cross_entropy,
    "mean_pool": _mean_pool,
    "sequence_log_prob": _sequence_log_prob,
    "next_token_loss": _next_token_loss,
    "induction_score": _induction_score,
    "linear_probe": _linear_probe,
    "patch_head": _patch_head,
    "share_of_way": _share_of_way,
    **dict.fromkeys(("sealed_a", "sealed_b", "sealed_c"), _sealed),
}


_IDS = torch.zeros(1, 1, dtype=torch.long)
# Arguments whose every size is the least; of tensors that are drawn, the shape.
LEAST: dict[str, tuple[Any, ...]] = {
    "sentence_vector": ((1, 1, 1),),
    "embed_one_hot": (_IDS, (1, 1)),
    "sinusoidal_encoding": (1, 2),
    "merge_heads": ((1, 1, 1, 1),),
    "cross_entropy": ((1, 1), _IDS[0]),
    "sequence_log_prob": ((1, 1, 2), 1 + _IDS, 0),
    "next_token_loss": ((1, 2, 1), _IDS.repeat(1, 2)),
    "induction_score": (torch.ones(1, 1, 1, 1), _IDS),
    "linear_probe": ((1, 1), _IDS[0], (1, 1), 2.0),
    "patch_head": ((1, 1, 1), (1, 1, 1), 0, 1),
    **dict.fromkeys(("sealed_a", "sealed_b", "sealed_c"), (3 + _IDS,)),
}


@each(tuple(LIMITS))
def test_limits(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """It holds at the limits of its promises too: the least sizes, long axes, large numbers."""
    for what, args, tolerance, gradient, rounds in LIMITS[exercise](generator):
        answers(candidate, reference, *args, tolerance=tolerance, what=what)
        if rounds:
            _finite_gradients(candidate, args, generator)
        elif gradient:
            gradients(candidate, reference, *args, generator=generator)
    if least := LEAST.get(exercise):
        given = [normal(generator, *a) if isinstance(a, tuple) else a for a in least]
        answers(candidate, reference, *given, what="Where every size is the least")


def _finite_gradients(candidate: Candidate, args: tuple[Any, ...], generator: Generator) -> None:
    cotangent = normal(generator, *args[0].shape)
    flown = candidate.run(*args, cotangent=cotangent).grads or ()
    if not all(part is not None and part.isfinite().all() for part in flown):
        raise wrong("With numbers this large, no gradient comes back, or one is not finite.")
