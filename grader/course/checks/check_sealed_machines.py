"""Hidden checks of chapter 14: how few heads are enough, and the rules of sealed machines."""

from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import again, agree, answers, untouched, wrong
from ...marking.inputs import between, sized
from ..misconceptions.sealed_machines import (
    FARTHEST,
    HARNESS,
    LARGE,
    SUBJECT,
    drawn_machine,
    machine,
    shuffled,
)
from .check_modules import each

SEALED = ("sealed_a", "sealed_b", "sealed_c")
_LETTERS, _LENGTH = 10, 6  # what the machines read
_FAR = 1_000_000


def _found(
    candidate: Candidate, answers_of_sets: Tensor, num_heads: int, what: str, strided: bool = False
) -> Any:
    """The candidate's report about one machine, after its heads were found to be the right ones."""
    got = candidate.through("grader_fewest_heads", answers_of_sets, num_heads, strided=strided)
    expected = SUBJECT.run(answers_of_sets, num_heads)
    if got["kind"] not in ("list", "tuple"):
        raise wrong("It returns a {}; a list of heads was expected.", got["kind"])
    agree(got["heads"], expected["heads"], what=what)
    return got


@check("fewest_heads", weight=3, essential=True, harness=HARNESS)
def test_fewest(candidate: Candidate, generator: Generator) -> None:
    """Of machines in which each needed head is missed, it finds the heads that are needed."""
    for num_heads, needed in ((3, [1]), (4, [0, 3]), (5, [1, 2, 4]), (4, [2])):
        _found(candidate, machine(generator, num_heads, needed), num_heads, "Without any stand-in")


@check("fewest_heads", weight=2)
def test_fewest_stand_ins(candidate: Candidate, generator: Generator) -> None:
    """Heads that stand in for each other are found, though none of them is missed."""
    for num_heads, sets in (
        (4, ([1], [3])),
        (5, ([0, 1], [2], [3, 4])),
        (6, ([0, 1, 2], [3, 4])),
        (5, ([1, 4], [2, 3])),
    ):
        _found(candidate, machine(generator, num_heads, *sets), num_heads, "With stand-ins")


@check("fewest_heads")
def test_fewest_first(candidate: Candidate, generator: Generator) -> None:
    """Of equally small sets it takes the one that comes first."""
    for num_heads, sets in ((5, ([2, 3], [1, 4], [1, 3])), (6, ([0, 5], [1, 2])), (4, ([3], [2]))):
        _found(candidate, machine(generator, num_heads, *sets), num_heads, "Of equally small sets")


@check("fewest_heads")
def test_fewest_more_is_worse(candidate: Candidate, generator: Generator) -> None:
    """A head that speaks as well may spoil what fewer do right."""
    for num_heads in (3, 4, 5, 4):
        _found(candidate, drawn_machine(generator, num_heads), num_heads, "Where more may be worse")


@check("fewest_heads")
def test_fewest_every_answer(candidate: Candidate, generator: Generator) -> None:
    """One wrong answer of many is a wrong one, whatever shape, size and layout they have."""
    for shape in ((40, 60), (7,), (2, 3, 4), ()):
        sets = machine(generator, 4, [1, 2], shape=shape, errors=1)
        _found(candidate, sets, 4, "Where one answer of all is wrong")
    sets = machine(generator, 4, [1, 2], errors=1) + LARGE
    _found(candidate, sets, 4, "Where one of large answers is wrong")
    sets = machine(generator, 4, [1, 2], errors=1) << 32
    _found(candidate, sets, 4, "Where answers differ by many times 2³²")
    for shape in ((0,), (3, 0, 2)):
        _found(candidate, torch.empty(2**3, *shape).long(), 3, "Where there are no answers at all")
    moved = shuffled(machine(generator, 4, [0, 3], shape=(40, 6)))
    _found(candidate, moved, 4, "Where the right answers stand at wrong places", strided=True)


@check("fewest_heads")
def test_fewest_edges(candidate: Candidate, generator: Generator) -> None:
    """Where silence answers alike no head is needed, elsewhere all; there may be one or eight."""
    for num_heads, sets in (
        (3, ([],)),
        (1, ([],)),
        (1, ([0],)),
        (4, ([0, 1, 2, 3],)),
        (8, ([0, 1, 2, *range(4, 8)],)),
        (8, ([6],)),
    ):
        _found(candidate, machine(generator, num_heads, *sets), num_heads, "At the edges")


@check("fewest_heads")
def test_fewest_type(candidate: Candidate, generator: Generator) -> None:
    """A list of plain numbers comes back."""
    got = _found(candidate, machine(generator, 4, [1, 2]), 4, "For heads 1 and 2")
    if got["kind"] != "list":
        raise wrong("It returns a {}; a list was expected.", got["kind"])
    if not got["plain"]:
        raise wrong("The list holds something else than plain numbers, tensors perhaps.")


def _drawn(generator: Generator, batch: int, seq: int, most: int) -> Tensor:
    return torch.randint(most, (batch, seq), generator=generator)


@each(SEALED, weight=3, essential=True)
def test_unseen(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Fifty unseen rows of six letters are answered as the machine does."""
    rows = _drawn(generator, 50, _LENGTH, _LETTERS)
    rows[25:] %= between(generator, 3, 4)  # few letters, which come again
    answers(candidate, reference, rows, what="For fifty rows of six letters")
    again(candidate, rows)


# Essential too: the machine's own weights answer for six letters, and know no rule.
@each(SEALED, essential=True)
def test_other_lengths(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Rows of any other length follow the same rule."""
    for batch, seq in ((3, 1), (4, 2), (5, 3), (2, 7), (3, 9), (1, 24)):
        rows = _drawn(generator, batch, seq, _LETTERS)
        sizes = sized(batch=batch, seq=seq)
        answers(candidate, reference, rows, what=f"For rows of {seq}", sizes=sizes)


@each(SEALED)
def test_beyond(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Tokens beyond the letters follow the same rule."""
    for most in (20, _FAR):
        rows = _drawn(generator, 6, 8, most)
        rows[:, 5] = rows[:, 2]  # one comes again
        answers(candidate, reference, rows, what="For tokens that no letter stands for")
    answers(candidate, reference, FARTHEST, what="For tokens of eight digits")


@each(SEALED)
def test_by_itself(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Each row is answered by itself, whatever stands beside it."""
    row = _drawn(generator, 1, _LENGTH, _LETTERS)
    beside = _drawn(generator, 3, _LENGTH, 3)
    answers(candidate, reference, torch.cat((row, beside, row)), what="For one row twice")
    answers(candidate, reference, row, what="For a single row")
    same = row[:, :1].repeat(2, _LENGTH)
    answers(candidate, reference, same, what="For one letter six times")


@each(SEALED)
def test_rows_stay(exercise: str, candidate: Candidate, generator: Generator) -> None:
    """The rows stay as they are."""
    untouched(candidate, _drawn(generator, 4, _LENGTH, _LETTERS))
