"""Hidden checks of chapter 04's attention: a weighted average of values."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import Message, say
from ...marking.check import Reference, check
from ...marking.expect import HUGE, SOFT, Mismatch, again, answers, gradients, untouched
from ...marking.inputs import MASK_KINDS, normal, one_large, sized
from ..misconceptions.softmax import long_row_masks, masks, opened

# Batch, queries, keys, d_k, value_dim: pairwise different in every row.
ATTENTION_SIZES = ((2, 3, 5, 4, 7), (3, 5, 4, 2, 6), (1, 2, 3, 8, 5))
SELF_ATTENTION = (2, 4, 4, 3, 5)  # as many queries as keys: nothing is hidden that no mask hides


@check("scaled_dot_product_attention", weight=3, essential=True)
def test_attention(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each query gets the average of all values, weighted by how well their keys fit."""
    for batch, queries, keys, width, value_dim in (*ATTENTION_SIZES, SELF_ATTENTION):
        sizes = sized(batch=batch, query=queries, key=keys, d_k=width, value_dim=value_dim)
        given = _given(generator, batch, queries, keys, width, value_dim)
        with _about_weights(candidate, *given):
            answers(candidate, reference, *given, sizes=sizes)
    again(candidate, *given)


@check("scaled_dot_product_attention", weight=3, essential=True)
def test_attention_masked(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Hidden keys have no say, for masks of both shapes."""
    for batch, queries, keys, width, value_dim in (*ATTENTION_SIZES[:2], SELF_ATTENTION):
        sizes = sized(batch=batch, query=queries, key=keys, d_k=width, value_dim=value_dim)
        given = _given(generator, batch, queries, keys, width, value_dim)
        padding, each = masks(batch, queries, keys, generator)
        for mask in (padding, padding.flip(0), each):
            case = f"With a mask of shape {list(mask.shape)}"
            with _about_weights(candidate, *given, mask):
                answers(candidate, reference, *given, mask, what=case, sizes=sizes)
        answers(candidate, reference, *given, what="Without a mask, after calls with one")


@contextmanager
def _about_weights(
    candidate: Candidate, query: Tensor, key: Tensor, value: Tensor, *mask: Tensor
) -> Iterator[None]:
    """Adds to wrong numbers what other values, and another order, show of the weights."""
    try:
        yield
    except Mismatch as wrong:
        if not wrong.differences:
            raise
        try:
            detail = _weights(candidate, query, key, value, *mask)
        except CandidateError:
            detail = None
        raise wrong.and_also(detail) from None


def _weights(
    candidate: Candidate, query: Tensor, key: Tensor, value: Tensor, *mask: Tensor
) -> Message | None:
    sums = candidate(query, key, torch.ones_like(value), *mask)
    if not isinstance(sums, Tensor) or not bool(sums.isfinite().all()):
        return None
    if not bool((sums - 1).abs().max() < 1e-3):
        low, high = float(sums.min()), float(sums.max())
        if high - low < 1e-3:
            return say("A query's weights sum to {:.4g}, not to 1.", low)
        return say("A query's weights sum to between {:.4g} and {:.4g}, not to 1.", low, high)
    found = candidate(query, key, value, *mask)
    turned = candidate(query, key.flip(1), value.flip(1), *(part.flip(-1) for part in mask))
    if isinstance(turned, Tensor) and not torch.allclose(found, turned, atol=1e-4):
        return say(
            "When keys and values change places together, the result changes: their order plays a "
            "part, which it must not."
        )
    return None


@check("scaled_dot_product_attention")
def test_attention_bool(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Bool masks work as well as integers, open ones too, and a single query with a single key."""
    query, key, value = _given(generator, 2, 3, 5, 4, 7)
    padding, each = masks(2, 3, 5, generator)
    for mask in (padding, each):
        for kind, dtype in MASK_KINDS.items():
            given = query, key, value, mask.to(dtype)
            answers(candidate, reference, *given, what=f"With a {kind} mask")
    for mask in opened(each):
        case = "With a mask that hides nothing from some"
        answers(candidate, reference, query, key, value, mask, what=case)
    one = _given(generator, 1, 1, 1, 1, 1)
    answers(candidate, reference, *one, what="With one query, one key and features of width 1")
    for sizes in one_large(generator, 1, 2, 3, 2, 2):
        case = "For {} sentences, {} queries, {} keys, d_k = {} and values of width {}"
        for mask in long_row_masks(sizes[:3], generator):
            many = *_given(generator, *sizes), mask
            answers(candidate, reference, *many, tolerance=1e-4, what=case.format(*sizes))


@check("scaled_dot_product_attention")
def test_attention_leak(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Nothing leaks from hidden positions, however low the visible scores are."""
    _, each = masks(2, 3, 5, generator)
    query, key, value = _given(generator, 2, 3, 5, 4, 7)
    query, key = query.abs() + 2, -key.abs() - 2  # scores from about −10 downwards
    answers(candidate, reference, query, key, value, each, tolerance=1e-4)
    padding = torch.tensor([[[1, 1, 1, 0, 0]], [[1, 0, 1, 1, 1]]])
    loud = torch.where(padding.mT == 0, -0.3 * key, key)  # hidden keys that would fit far better
    case = "With hidden keys that fit far better than the visible ones"
    answers(candidate, reference, query, loud, value, padding, what=case, tolerance=1e-4)
    value = torch.where(padding.mT == 0, 1e30, value)
    case = "With values of 1e30 at hidden keys"
    answers(candidate, reference, query, key, value, padding, what=case, tolerance=1e-4)
    query = torch.tensor([[[200.0, 0, 0, 0]]])
    key = torch.tensor([[[-200.0, 1, 0, 0], [-200, 0, 0, 0], [-200, 0, 0, 0]]])
    value, mask = normal(generator, 1, 3, 5), torch.tensor([[[1, 1, 0]]])
    case = "With scores near −20000, far below what is filled in for hidden keys"
    answers(candidate, reference, query, key, value, mask, what=case, tolerance=HUGE)


@check("scaled_dot_product_attention")
def test_attention_loud(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Hidden keys that fit far better than all visible ones make no difference."""
    query, value = torch.tensor([[[200.0, 0, 0, 0]]]), normal(generator, 1, 3, 5)
    mask = torch.tensor([[[1, 1, 0]]])
    for visible, hidden in ((0.0, 2.0), (0.0, 10.0), (0.0, 200.0), (-200.0, 200.0)):
        key = torch.tensor([[[visible, 1, 0, 0], [visible + 0.01, 0, 0, 0], [hidden, 0, 0, 0]]])
        case = f"With a hidden score of {100 * hidden:g} and visible ones of {100 * visible:g}"
        answers(candidate, reference, query, key, value, mask, what=case, tolerance=HUGE)
    key[0, :2, 0] = 0
    gradients(candidate, reference, query, key, value, mask, generator=generator)


@check("scaled_dot_product_attention")
def test_attention_stable(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Long queries and keys neither overflow nor turn into nan."""
    query = torch.tensor([[[30.0, 0, 0, 0], [0, 30, 0, 0], [1, 0, 0, 0]]])
    key = torch.tensor([[[40.0, -40, 3, 1], [38, 20, 0, 0], [-39, 30, 5, 2], [36, -9, 1, 4]]])
    value = normal(generator, 1, 4, 5)
    answers(candidate, reference, query, key, value, tolerance=SOFT)


@check("scaled_dot_product_attention")
def test_attention_stays(candidate: Candidate, generator: Generator) -> None:
    """Query, key, value and mask stay as they are, and may lie in memory in any way."""
    padding, _ = masks(2, 3, 5, generator)
    given = _given(generator, 2, 3, 5, 4, 7)
    untouched(candidate, *given, padding)


@check("scaled_dot_product_attention")
def test_attention_gradient(
    candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Gradients flow back to queries, keys and values, and are right."""
    _, each = masks(2, 3, 5, generator)
    given = _given(generator, 2, 3, 5, 4, 7)
    for some in (given, (*given, each), (*(0 * part for part in given), each)):
        gradients(candidate, reference, *some, generator=generator)


def _given(
    generator: Generator, batch: int, queries: int, keys: int, width: int, value_dim: int
) -> tuple[Tensor, Tensor, Tensor]:
    query = normal(generator, batch, queries, width)
    key = normal(generator, batch, keys, width)
    return query, key, normal(generator, batch, keys, value_dim)
