"""Hidden checks of chapter 13: a probe, a patch, and how far it carries; they know no model."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError
from ...candidate.message import known
from ...marking.check import Reference, check
from ...marking.expect import again, agree, answers, gradients, untouched, wrong
from ...marking.inputs import away_from_0, between, large, normal, one_large, sized

_FITTED_TO_MANY, _FITTED_TO_FEW = 1e-2, 1e-3
SHORTEST = 1e-3  # way, but for none
FITTED = 2e-4  # a fit may be solved in several ways, whose roundings differ


def _lesson(generator: Generator, words: int, hidden: int, asked: int) -> tuple[Tensor, ...]:
    """Vectors around a middle that is not 0, labels of both kinds, of one more than the other."""
    middle = 1 + normal(generator, hidden)
    labels = (torch.arange(words) % 3 == 0).long()[torch.randperm(words, generator=generator)]
    return normal(generator, words, hidden) + middle, labels, normal(generator, asked, hidden)


@check("linear_probe", weight=3, essential=True)
def test_probe(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Vectors that were never seen get the scores of the best weight and bias."""
    sizes_of_each = (7, 3, 5), (11, 4, 2), (9, 2, 6), (large(generator), 3, 4), (11, 4, 2)
    for words, hidden, asked in sizes_of_each:
        given = _lesson(generator, words, hidden, asked)
        sizes = sized(words=words, hidden=hidden, questions=asked)
        answers(candidate, reference, *given, 2.0, tolerance=FITTED, sizes=sizes)
    again(candidate, *given, 2.0)


@check("linear_probe")
def test_probe_ridge(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A larger ridge makes the weight smaller, and a very large one leaves the bias alone."""
    given = _lesson(generator, 10, 4, 6)
    for ridge in (0.05, 0.3, 1.0, 30.0, 1e5, 1e7):
        what = f"With a ridge of {ridge:g}"
        answers(candidate, reference, *given, ridge, tolerance=FITTED, what=what)


@check("linear_probe")
def test_probe_few(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Fewer vectors than features are enough, down to a single one."""
    for words, hidden in ((4, 9), (3, 12), (1, 5), (5, 770)):
        given = _lesson(generator, words, hidden, 6)
        what = f"With {words} of {hidden} features"
        answers(candidate, reference, *given, 3.0, tolerance=_FITTED_TO_FEW, what=what)


@check("linear_probe")
def test_probe_many(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Of many vectors with many features the best weight is found."""
    for words in (60, 200):
        given = _lesson(generator, words, 64, 6)
        what = f"With {words} of 64 features"
        answers(candidate, reference, *given, 1.0, tolerance=_FITTED_TO_MANY, what=what)


@check("linear_probe")
def test_probe_kinds(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """All labels alike, equal vectors, features that are always 0, and no question at all."""
    vectors, labels, asked = _lesson(generator, 8, 3, 5)
    flat = vectors.clone()
    flat[:, 1] = 0.0
    cases = {
        "Where all labels are 1": (vectors, labels * 0 + 1, asked),
        "Where all labels are 0": (vectors, labels * 0, asked),
        "Where all vectors are equal": (1 + vectors[:1].abs().repeat(8, 1), labels, asked),
        "With a feature that is always 0": (flat, labels, asked),
        "Asked of what it has learnt from": (vectors, labels, vectors),
        "Asked of vectors of 0": (vectors, labels, 0 * asked),
        "Asked of one vector": (vectors, labels, asked[:1]),
        "Asked of none": (vectors, labels, asked[:0]),
    }
    for what, case in cases.items():
        answers(candidate, reference, *case, 2.0, tolerance=FITTED, what=what)


@check("linear_probe")
def test_probe_stays(candidate: Candidate, generator: Generator) -> None:
    """Vectors, labels and questions stay as they are, and may lie in memory in any way."""
    given = _lesson(generator, 8, 3, 5)
    untouched(candidate, *given, 2.0)


@check("patch_head", weight=3, essential=True)
def test_patch(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """One head's numbers come from the other run, all others stay."""
    for batch, seq, heads, head_dim in ((2, 3, 4, 5), (3, 7, 2, 6), (1, 5, 12, 2), (2, 3, 4, 5)):
        found, instead = (normal(generator, batch, seq, heads * head_dim) for _ in range(2))
        sizes = sized(batch=batch, seq=seq, heads=heads, head_dim=head_dim)
        for head in (0, between(generator, 1, heads - 1), heads - 1):
            given = found, instead, head, heads
            answers(candidate, reference, *given, tolerance=0.0, sizes=sizes)
    again(candidate, *given)


@check("patch_head")
def test_patch_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """One head, heads of one number, silence, very large numbers: right to the last digit."""
    found, instead = normal(generator, 2, 3, 6), normal(generator, 2, 3, 6)
    loud = found.clone()
    loud[:, 1, ::2] = 1e30
    cases: dict[str, tuple[Any, ...]] = {
        "With one head": (found, instead, 0, 1),
        "With heads of one number": (found, instead, 4, 6),
        "With zeros put in": (found, 0 * instead, 1, 3),
        "Where it found zeros": (0 * found, instead, 1, 3),
        "With numbers of 1e30 in what was found": (loud, instead, 1, 3),
        "With numbers of 1e30 put in": (found, loud, 1, 3),
        "With its own numbers put in": (found, found.clone(), 2, 3),
        "With all sizes equal": (*(normal(generator, 3, 3, 9) for _ in "ab"), 1, 3),
        "For a single token": (found[:1, :1], instead[:1, :1], 1, 2),
    }
    for what, case in cases.items():
        answers(candidate, reference, *case, tolerance=0.0, what=what)
    found, instead = found.double() / 3, instead.double() / 3
    agree(candidate(found, instead, 1, 3), reference(found, instead, 1, 3), 0.0, "In float64")


@check("patch_head")
def test_patch_stays(candidate: Candidate, generator: Generator) -> None:
    """What was found in both runs stays as it is, and may lie in memory in any way."""
    given = (normal(generator, 2, 3, 8) for _ in range(2))
    untouched(candidate, *given, 1, 4)


@check("patch_head")
def test_patch_gradient(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Gradients flow back to what was taken, and to nothing else."""
    given = [normal(generator, 2, 3, 8) for _ in range(2)]
    gradients(candidate, reference, *given, 2, 4, generator=generator)


@check("patch_head", weight=2)
def test_patch_refuses(candidate: Candidate, generator: Generator) -> None:
    """A head that is not there is a ValueError, and so are two shapes that differ."""
    found, other = normal(generator, 2, 3, 8), normal(generator, 2, 3, 8)
    cases: dict[str, tuple[Any, ...]] = {
        "head 4 of 4": (found, other, 4, 4),
        "head 21 of 4": (found, other, 21, 4),
        "head −1": (found, other, -1, 4),
        "another sentence of one token": (found, other[:, :1], 1, 4),
        "another batch of one sentence": (found, other[:1], 1, 4),
        "another sentence that is longer": (found, normal(generator, 2, 5, 8), 1, 4),
        "another run without a batch": (found, other[0], 1, 4),
        "another run of wider heads": (found, normal(generator, 2, 3, 16), 1, 4),
        "another run of as many numbers": (found, normal(generator, 3, 2, 8), 1, 4),
    }
    for case, given in cases.items():
        try:
            candidate(*given)
        except CandidateError as error:
            if error.problem.type != "ValueError":
                raise wrong(
                    "With {} it raises {}; a ValueError was promised.",
                    known(case),
                    error.problem.type,
                ) from None
        else:
            raise wrong("With {} it answers; a ValueError was promised.", known(case))


def _pairs(generator: Generator, *shape: int) -> tuple[Tensor, Tensor, Tensor]:
    """Answers after changes, before them, and where they would go; ways in both directions."""
    patched, start = normal(generator, *shape), normal(generator, shape[-1])
    goal = start + away_from_0(generator, shape[-1])
    goal[0], goal[1] = start[0] + 2, start[1] - 0.5
    return patched, start, goal


@check("share_of_way", weight=3, essential=True)
def test_share(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each pair counts as much as its way is long, whichever direction it has."""
    for shape in ((2, 3, 5), (6, 4), (3, 2, 7), (2, 3, 5)):
        answers(candidate, reference, *_pairs(generator, *shape), sizes=sized(pairs=shape[-1]))
    again(candidate, *_pairs(generator, 2, 5))


@check("share_of_way")
def test_share_edges(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Nowhere is 0, all the way is 1, away from the goal is below 0, beyond it is above 1."""
    _, start, goal = _pairs(generator, 6)
    for part in (0.0, 1.0, -0.5, 2.0, 0.25, -30.0, 30.0):
        where = start + part * (goal - start)
        answers(candidate, reference, where, start, goal, what=f"{part:g} of each way")
    answers(candidate, reference, goal.flip(0), start, goal, what="With the goals exchanged")
    answers(candidate, reference, 0 * goal, 0 * goal, goal - start, what="From 0, without a step")
    for what, up in (("to a higher score", 3.0), ("to a lower score", -3.0)):
        one = torch.tensor([0.5 * up]), torch.zeros(1), torch.tensor([up])
        answers(candidate, reference, *one, what=f"A single pair, {what}")


@check("share_of_way")
def test_share_no_way(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """A pair without a way counts nothing, a very short one next to nothing; all may be short."""
    patched, start, goal = _pairs(generator, 3, 6)
    for length in (0.0, 2e-3, -2e-3):
        near = goal.clone()
        near[3] = start[3] + length
        answers(candidate, reference, patched, start, near, what=f"With a way of {length:g}")
    alone = start[:1] + torch.tensor([[1e-3], [4e-3]]), start[:1], start[:1] + 2e-3
    answers(candidate, reference, *alone, what="With a single way, of 0.002")
    least = SHORTEST * torch.tensor([1.0, -1.0, 1.0])
    given = normal(generator, 4, 3) * SHORTEST, 0 * least, least
    answers(candidate, reference, *given, what=f"With ways of {SHORTEST:g}, and no others")
    least = torch.cat((least[:2], goal[:4] - start[:4]))
    answers(candidate, reference, patched, 0 * least, least, what=f"With ways of {SHORTEST:g}")
    begin = torch.tensor([0.0, 0.0, 5000.0, 1.0]) + torch.tensor([0.0, 0, 1, 1]) * start[:4]
    end = begin + torch.tensor([2e-3, -2e-3, -5e-3, 1.5])
    patched = begin + normal(generator, 3, 4)
    answers(candidate, reference, patched, begin, end, what="With ways of unlike size")
    patched, start, goal = _pairs(generator, 3, 6)
    goal += 0.2 * (goal - start).sign()
    for length in (0.1, 0.01, 1e8):
        short = (length * part for part in (patched, start, goal))
        answers(candidate, reference, *short, what=f"With all ways {length:g} times as long")


@check("share_of_way")
def test_share_axes(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Any axes may stand in front of the pairs: none, one, three, and equal sizes."""
    some = (5,), (4, 5), (2, 3, 4, 5), (3, 3, 3), (1, 4)
    for shape in (*some, *one_large(generator, 2, 3)):
        given = _pairs(generator, *shape)
        answers(candidate, reference, *given, what=f"With patched {list(shape)}")


@check("share_of_way")
def test_share_stays(candidate: Candidate, generator: Generator) -> None:
    """Patched, start and goal stay as they are, and may lie in memory in any way."""
    untouched(candidate, *_pairs(generator, 2, 5))
