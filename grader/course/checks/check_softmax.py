"""Hidden checks of chapter 04's softmax and masked softmax."""

from contextlib import suppress

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import known
from ...marking.check import Reference, check
from ...marking.expect import HUGE, SOFT, again, agree, answers, gradients, untouched, wrong
from ...marking.inputs import normal, one_large, sized
from ..misconceptions.softmax import (
    LONG_ROWS,
    broadcast_masks,
    extreme_rows,
    long_row_masks,
    long_rows,
    masks,
    opened,
)


@check("softmax", weight=3, essential=True)
def test_softmax(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each entry becomes its share of the exponentials along the dimension asked for."""
    for shape, dim in (
        ((2, 3, 5), 2),
        ((2, 3, 5), 1),
        ((4, 2, 3), 0),
        ((3, 6), -1),
        ((3, 7), 0),
        ((2, 3, 5), 2),
    ):
        x = normal(generator, *shape) * 2
        answers(candidate, reference, x, dim, what=f"Along dim={dim} of {list(shape)}")
    again(candidate, x, 0)
    zeros = torch.tensor([[0.0, 0.0, 0.0], [0.0, 1.0, -1.0], [2.0, 2.0, 0.0]])
    for dim in (1, 0):
        answers(candidate, reference, zeros, dim, what=f"With zeros and equal entries, dim={dim}")


@check("softmax", weight=2)
def test_softmax_stable(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Numbers near 1000 and −1000, and farther out, keep their shares, whatever other rows hold."""
    thousands = [[1000.0, 1001.0, -1000.0], [-1000.0, -1000.0, -1001.0], [1000.0, 0.0, -1000.0]]
    for dim in (1, 0):
        answers(candidate, reference, torch.tensor(thousands), dim, tolerance=SOFT)
    rows = extreme_rows()
    rows = rows + normal(generator, *rows.shape)
    answers(candidate, reference, rows, -1, tolerance=SOFT, what="With rows far from each other")
    for far in (-20_000.0, 20_000.0, -60_000.0):
        row = far + torch.randint(4, (2, 3), generator=generator)
        answers(candidate, reference, row, -1, tolerance=HUGE, what=f"With numbers near {far:g}")
    columns = rows.transpose(1, 2).contiguous()
    answers(candidate, reference, columns, 1, tolerance=SOFT, what="Along dim=1, large numbers")


@check("softmax")
def test_softmax_hidden(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """An entry of −inf gets weight 0, and the others share the rest."""
    x = normal(generator, 2, 3)
    x[[0, 1], torch.randperm(3, generator=generator)[:2]] = -torch.inf
    left = answers(candidate, reference, x, 1).value[x.isneginf()].abs().max()
    if left > 0:
        raise wrong("An entry of −inf gets weight {:.2g}; 0 was promised.", left)
    alone = torch.tensor([[-torch.inf, -torch.inf, -900.0], [0.0, -torch.inf, -torch.inf]])
    answers(candidate, reference, alone, -1, what="With a single entry that is not −inf")
    beside = torch.tensor([[-torch.inf] * 3, [0.0, 1.0, -1.0]])  # the first row is left open
    got, right = None, reference(beside, -1)
    with suppress(CandidateError):
        got = candidate(beside, -1)
    if isinstance(got, Tensor) and got.shape == right.shape:
        agree(got[1:], right[1:], what="A row beside one of nothing but −inf")
    far = torch.tensor([[-2e4, -3e4, -torch.inf], [-1e9, -torch.inf, -2e9], [1e9, 2e9, -torch.inf]])
    answers(candidate, reference, far, -1, what="With entries far from 0 beside −inf")
    farthest = torch.tensor([-3e38, -torch.inf])
    answers(candidate, reference, farthest, 0, what="With an entry near −3·10³⁸ beside −inf")
    for row, case in zip(long_rows(generator), LONG_ROWS, strict=True):
        what = f"With a run of −inf at the {case} of a long row"
        answers(candidate, reference, row.unsqueeze(0), -1, what=what)
        answers(candidate, reference, row.unsqueeze(1), 0, what=what)


@check("softmax")
def test_softmax_shapes(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Negative dims count from the end; one, four to six or long axes are as good as three."""
    cases = (
        ((5,), 0),
        ((5,), -1),
        ((2, 3, 4), -2),
        ((3, 4, 2), -3),
        ((2, 3, 4, 5), 2),
        ((2, 1, 3, 2, 4), 3),
        ((2, 1, 2, 1, 3, 2), 4),
    )
    single = (((3, 1), 1), ((1, 1, 4), 1), ((1,), 0))  # each entry gets all the weight
    large = [(shape, dim) for shape in one_large(generator, 2, 3, 2) for dim in (0, 2)]
    for shape, dim in (*cases, *single, *large):
        x = normal(generator, *shape)
        answers(candidate, reference, x, dim, what=f"Along dim={dim} of {list(shape)}")


@check("softmax")
def test_softmax_stays(candidate: Candidate, generator: Generator) -> None:
    """The input stays as it is, and may lie in memory in any way."""
    untouched(candidate, normal(generator, 2, 3, 4), 1)


@check("softmax")
def test_softmax_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow through it, and are right."""
    for dim in (-1, 0):
        x = normal(generator, 3, 4)
        gradients(candidate, reference, x, dim, generator=generator)
    gradients(candidate, reference, torch.zeros(2, 3), -1, generator=generator)
    x = torch.tensor([[0.0, 0.0, -torch.inf], [1000.0, 999.0, -1000.0], [2.0, 2.0, 2.0]])
    gradients(candidate, reference, x, -1, generator=generator)


@check("masked_softmax", weight=3, essential=True)
def test_masked(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Visible keys share the weight, hidden keys get none, for masks of both shapes."""
    for batch, queries, keys in ((2, 3, 5), (3, 2, 4), (2, 5, 3)):
        sizes = sized(batch=batch, query=queries, key=keys)
        padding, each = masks(batch, queries, keys, generator)
        scores = normal(generator, batch, queries, keys).clamp(min=-1) * 1.5
        case = f"With a mask of shape [{batch}, 1, {keys}]"
        for mask in (padding, padding.flip(0)):  # of one shape: each call answers for itself
            answers(candidate, reference, scores, mask, what=case, sizes=sizes)
        case = f"With a mask of shape [{batch}, {queries}, {keys}]"
        outcome = answers(candidate, reference, scores, each, what=case, sizes=sizes)
        left = outcome.value[each == 0].abs().max()
        if left > 0:
            raise wrong("{}: a hidden key gets weight {:.2g}; 0 was promised.", known(case), left)
    scores = torch.tensor([[[-1.0, 2.0, 2.0, 1.0], [2.0, -1.0, -1.0, 2.0]]])  # visible ones are low
    mask = torch.tensor([[[1, 0, 0, 0], [0, 1, 1, 0]]])
    answers(candidate, reference, scores, mask, what="With low visible scores")
    again(candidate, scores, mask)
    zeros = torch.tensor([[[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, -2.0, 0.0]]])
    answers(candidate, reference, zeros, mask, what="With scores of 0")


@check("masked_softmax")
def test_masked_bool(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Bool masks work as well as integers, also where nothing is hidden, or from some alone."""
    padding, each = masks(2, 3, 5, generator)
    scores = normal(generator, 2, 3, 5)
    for mask in (padding, each):
        answers(candidate, reference, scores, mask.bool(), what="With a bool mask")
    for mask in opened(each):
        answers(candidate, reference, scores, mask, what="With a mask that hides nothing from some")
    nothing = torch.ones(2, 1, 5, dtype=torch.bool)
    answers(candidate, reference, scores, nothing, what="With nothing hidden")


@check("masked_softmax")
def test_masked_broadcast(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A mask may have any shape that broadcasts, in any integer type; a single key gets all."""
    for scores, mask in broadcast_masks(2, 3, 5, generator):
        what = f"For {list(scores.shape)} and a mask of shape {list(mask.shape)}"
        answers(candidate, reference, scores, mask, what=what)
    _, each = masks(3, 3, 5, generator)
    what = "For as many sentences as queries, and one mask [query, key] for all of them"
    answers(candidate, reference, normal(generator, 3, 3, 5), each[0], what=what)
    one = torch.ones(1, 1, 1).long()
    answers(candidate, reference, normal(generator, 1, 1, 1), one, what="With a single key")
    for shape in one_large(generator, 1, 2, 3):
        for mask in long_row_masks(shape, generator):
            what = f"For {list(shape)} and a mask of shape {list(mask.shape)}"
            answers(candidate, reference, normal(generator, *shape), mask, what=what)


@check("masked_softmax", weight=2)
def test_masked_leak(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Visible keys share all the weight and hidden ones get none, however low the scores are."""
    _, each = masks(2, 3, 5, generator)
    for offset in (-8.0, -60.0):
        visible = normal(generator, 2, 3, 5) * 0.5 + offset
        case = f"With scores near {offset:g}"
        for higher in (4, 12):  # what stands at hidden keys makes no difference
            scores = torch.where(each == 0, visible + higher, visible)
            answers(candidate, reference, scores, each, what=case, tolerance=1e-4)
    low = torch.tensor([[[-19997.0, -19998.0, -2e4, -19997.0]]])
    mask = torch.tensor([[[1, 1, 0, 0]]])
    case = "With scores near −20000, far below what is filled in for hidden keys"
    answers(candidate, reference, low, mask, what=case, tolerance=HUGE)


@check("masked_softmax")
def test_masked_loud(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Hidden scores that are far above the visible ones make no difference."""
    _, each = masks(2, 3, 5, generator)
    visible = normal(generator, 2, 3, 5)
    for height in (100.0, 1000.0, 20_000.0):
        scores = torch.where(each == 0, height, visible)
        case = f"With {height:g} at every hidden key"
        answers(candidate, reference, scores, each, what=case)
    case = "With −20000 at the visible keys and 20000 at the hidden ones"
    far = torch.where(each == 0, 20_000.0, -20_000.0)
    answers(candidate, reference, far, each, what=case, tolerance=HUGE)
    first = torch.tensor([[[0, 0, 0, 1]]])
    scores = torch.tensor([[[1000.0, 0.0, -1000.0, -3.0]]])
    answers(candidate, reference, scores, first, what="With all keys hidden but the last")


@check("masked_softmax", weight=2)
def test_masked_stable(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Scores near 500 and −500 neither overflow nor vanish, whatever stands in the other rows."""
    rows = [[500.0, 501.0, 499.0, 500.0], [0.0, 1.0, -1.0, 2.0], [-500.0, -501.0, -498.0, -500.0]]
    mask = torch.tensor([[[1, 1, 1, 0]]])
    scores = torch.tensor([rows]) + normal(generator, 1, 3, 4)
    answers(candidate, reference, scores, mask, tolerance=SOFT)


@check("masked_softmax")
def test_masked_stays(candidate: Candidate, generator: Generator) -> None:
    """Scores and mask stay as they are, and may lie in memory in any way."""
    padding, each = masks(2, 3, 5, generator)
    for mask in (padding, each.bool()):
        untouched(candidate, normal(generator, 2, 3, 5), mask)


@check("masked_softmax")
def test_masked_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to the scores, and are right."""
    _, each = masks(2, 3, 5, generator)
    scores = normal(generator, 2, 3, 5)
    for hidden in (scores, torch.where(each == 0, 1000.0, scores)):
        gradients(candidate, reference, hidden, each, generator=generator)
