"""Checks of chapter 01 that no call hangs on another: on what it gave, or on what it was given."""

from random import Random

import pytest
from torch import Generator

from ...candidate.candidate import Candidate
from ...marking.check import Reference, check
from ...marking.expect import agree, wrong
from .check_tokenization import ROWS
from .drawn import Case, agree_in_parts, called, cases_of, shown_argument, tried
from .drawn_pieces import Vocab, of_changing

# Of each call up to the first of which one differs: what it gave, the same after another call, and
# what comes of the same call after that was changed. Where it raises, other checks tell.
_OWN = """
def grader_asked(case):
    try:
        return NAME(*case)
    except Exception:
        return None


def grader_parts(answer):
    if isinstance(answer, dict):
        return list(answer.values())
    return list(answer) if isinstance(answer, tuple) else [answer]


def grader_follows(parts):
    plain = (each for part in parts[:9] if isinstance(part, list) for each in part)
    return len(parts) < 9 and all(isinstance(each, (str, int)) for each in plain)


def grader_same(one, other):
    pairs = list(zip(grader_parts(one), grader_parts(other)))
    return all(a.equal(b) if hasattr(a, "equal") else a == b for a, b in pairs)


def grader_change(each):
    if isinstance(each, list):
        each.append("changed")
    elif hasattr(each, "fill_"):
        try:
            each.fill_(-7)
        except RuntimeError:  # whose entries share one place in memory
            pass


def grader_own(cases):
    import copy

    found = []
    for number, case in enumerate(cases):
        answer = grader_asked(case)
        if not grader_follows(grader_parts(answer)):  # to copy it may take long, and it is wrong
            break
        first = copy.deepcopy(answer)
        grader_asked(cases[number - 1])
        later = copy.deepcopy(answer)
        for each in grader_parts(answer):
            grader_change(each)
        found.append([first, later, grader_asked(case)])
        if not all(grader_same(first, each) for each in found[-1]):
            break
    return found
"""

# One dictionary in three calls: as it is, with one piece more, and without it again.
_CHANGING = """
def grader_changing(word, vocab, piece, number):
    found = [wordpiece_tokenize(word, vocab)]
    vocab[piece] = number
    found.append(wordpiece_tokenize(word, vocab))
    del vocab[piece]
    return [*found, wordpiece_tokenize(word, vocab)]
"""


@pytest.mark.parametrize(
    "exercise",
    [
        pytest.param(name, marks=check(name, harness=_OWN.replace("NAME", name)), id=name)
        for name in dict.fromkeys(exercise for exercise, *_ in ROWS)
    ],
)
def test_own(
    exercise: str, candidate: Candidate, reference: Reference, generator: Generator
) -> None:
    """Every call gives lists, or tensors, of its own: changing one changes no other answer."""

    def one(candidate: Candidate, reference: Reference, *cases: Case) -> None:
        found = candidate.through("grader_own", list(cases))
        for case, (first, later, again) in zip(cases, found, strict=False):
            asked = called(case)
            agree_in_parts(later, first, f"{asked}, what it gave, after it was called once more")
            what = f"{asked}, asked again after what it gave was changed in place"
            agree_in_parts(again, first, what)
        if len(found) < len(cases):
            raise wrong("What it gives could not be followed.")

    def draw(random: Random) -> list[Case]:
        draws = [draw for name, _, draw, *_ in ROWS if name == exercise]
        return [tuple(case for draw in draws for case in cases_of(draw, random))]

    tried(candidate, reference, draw, one, generator)


@check("wordpiece_tokenize", harness=_CHANGING)
def test_pieces_of_now(candidate: Candidate, reference: Reference, generator: Generator) -> None:
    """Each call goes by its vocabulary as it is then: it may have gained or lost a piece."""

    def one(
        candidate: Candidate, reference: Reference, word: str, vocab: Vocab, piece: str, number: int
    ) -> None:
        got = candidate.through("grader_changing", word, vocab, piece, number)
        now, then = reference(word, vocab), reference(word, {**vocab, piece: number})
        name = shown_argument(piece, piece)
        what = f"{called((word, vocab))}, then with {name} as well, then without it again"
        agree(got, [now, then, now], what=what)

    tried(candidate, reference, of_changing, one, generator)
