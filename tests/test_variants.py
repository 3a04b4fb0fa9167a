"""Edits of the solutions: found in the tree, acting through imports, refused if nothing fits."""

from __future__ import annotations

import itertools
import random
import re

import pytest
import torch

from grader.curriculum.syllabus import syllabus
from grader.diagnosis.edited_tree import Edit, EditError
from grader.diagnosis.misconceptions.catalogue import CatalogueError, groups, read
from grader.diagnosis.misconceptions.changes import changes, edits_of
from grader.diagnosis.misconceptions.registry import function_subjects
from grader.diagnosis.variants import Clash, EditedSolutions, Variant

X = torch.tensor([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5]])
MAXIMUM = "x.amax(dim, keepdim=True)"
SUM = "exponentials.sum(dim, keepdim=True)"
WORDS = 'behaviour = "It does."\nquestion = "Why?"\n'


def variant(edits: tuple[Edit, ...]) -> Variant:
    return EditedSolutions(edits).variant(edits)


def clashes(edits: tuple[Edit, ...]) -> bool:
    try:
        variant(edits)
    except Clash:
        return True
    return False


def made(*edits: tuple[str, str, str]) -> Variant:
    return variant(tuple(Edit(*edit) for edit in edits))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (MAXIMUM, "x.max()", (X - X.max()).exp()),
        ("x.amax( dim ,keepdim = True )", "0", X.exp()),
        (f"shifted = x - {MAXIMUM}", "shifted = x\nshifted = shifted - 1", (X - 1).exp()),
        ("shifted.exp()", "_ * 2", 2 * (X - X.amax(1, True)).exp()),
        ("first", "x = -x", (-X - (-X).amax(1, True)).exp()),
    ],
)
def test_what_stands_there_is_replaced(old: str, new: str, expected: torch.Tensor) -> None:
    found = made(("softmax", old, new))["softmax"](X.clone(), 1)
    assert torch.allclose(found, expected / expected.sum(1, keepdim=True))


@pytest.mark.parametrize(
    ("edit", "call", "expected"),
    [
        (("masked_softmax", "dim=-1", "dim=-2"), "masked_softmax", X.softmax(0)),
        (("softmax", "return", "_.log()"), "masked_softmax", X.log_softmax(1)),
        (("softmax", "return exponentials / " + SUM, ""), "masked_softmax", None),
    ],
)
def test_an_edit_acts_in_what_calls_it(
    edit: tuple[str, str, str], call: str, expected: torch.Tensor | None
) -> None:
    found = made(edit)[call](X.clone(), torch.ones(1, 3))
    assert found is expected if expected is None else torch.allclose(found, expected)


def test_an_edit_acts_in_other_chapters_and_leaves_the_rest_alone() -> None:
    found = made(("attention_scores", "math.sqrt(d_k)", "1"))
    query = key = value = X[None]
    expected = (query @ key.mT).softmax(-1) @ value
    assert torch.allclose(found["scaled_dot_product_attention"](query, key, value), expected)
    assert found["gelu"] is made()["gelu"]
    assert found["MultiHeadAttention"] is not made()["MultiHeadAttention"]
    right = made()["scaled_dot_product_attention"](query, key, value)
    assert not torch.allclose(right, expected)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("softmax", "x.amax(1)", "0"), "'x.amax(1)' stands nowhere; there stands:\ndef softmax"),
        (("softmax", "x = 3", "x = 4"), "'x = 3' stands nowhere"),
        (("softmax", "x.amax(", "0"), "'x.amax(' is no Python"),
        (("softmax", MAXIMUM, "x.("), "'x.(' is no Python"),
        (("softmacs", "x", "y"), "nothing in solutions/ is called 'softmacs'"),
        (("LayerNorm.backward", "x", "y"), "LayerNorm has nothing called 'backward'"),
        (("softmax", "return", "x = 3"), "'x = 3' is no expression"),
        (("softmax", "all", "def other(x):\n    return x"), "it does not define 'softmax'"),
    ],
)
def test_what_cannot_be_edited_is_refused(edit: tuple[str, str, str], message: str) -> None:
    with pytest.raises(EditError, match=re.escape(message)):
        variant((Edit(*edit),))


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ((MAXIMUM, "0"), (SUM, "1"), False),
        ((MAXIMUM, "0"), (MAXIMUM, "1"), True),
        ((MAXIMUM, "0"), (MAXIMUM, "0"), False),  # the same
        ((MAXIMUM, "0"), (f"x - {MAXIMUM}", "x"), True),
        ((MAXIMUM, "0"), (f"x - {MAXIMUM}", "-_"), False),
        ((MAXIMUM, "0"), (f"x - {MAXIMUM}", f"2 * x - {MAXIMUM}"), True),
        ((MAXIMUM, "_ + 1"), (MAXIMUM, "_ + 2"), False),
        (("first", "x = x + 1"), ("first", "dim = 0"), False),
        (("first", "x = x + 1"), ("all", "def softmax(x, dim):\n    return x"), True),
        (("return", "_.log()"), (SUM, "1"), False),
    ],
)
def test_two_edits_of_one_place_make_no_program(
    one: tuple[str, str], other: tuple[str, str], clash: bool
) -> None:
    for pair in ((one, other), (other, one)):
        assert clashes(tuple(Edit("softmax", *edit) for edit in pair)) is clash


@pytest.mark.parametrize("subject", function_subjects(), ids=lambda subject: subject.exercise)
def test_every_wrong_turn_of_a_function_has_an_edit(subject: object) -> None:
    from grader.diagnosis.misconceptions.function_subject import FunctionSubject

    assert isinstance(subject, FunctionSubject)
    if subject.reference is not None:
        return
    known = changes(subject.exercise)
    silent = [one for one in subject.misconceptions if one.error is None]
    names = [name for one in silent for name in (one.id, *one.ways)]
    assert [name for name in names if name not in known] in ([], ["gradient_stopped"])
    pairs = list(itertools.combinations(sorted(known), 2))
    for pair in random.Random(0).sample(pairs, min(20, len(pairs))):
        both = tuple(edit for name in pair for edit in known[name])
        assert clashes(both) is subject.clashes(frozenset(pair))


def test_all_edits_of_the_catalogue_can_be_made() -> None:
    for name in syllabus().names:
        changes(name)


@pytest.mark.parametrize(
    ("instead", "message"),
    [
        ('"x"', "softmax.a: instead: a table of old and new texts, an entry's name or a file's"),
        ("3", "softmax.a: instead: a table of old and new texts"),
        ("{}", "softmax.a: instead: a table of old and new texts"),
        ('{ "x" = 3 }', "softmax.a: instead: 'x': a text is expected"),
        ('"softmax_merged.py"', "softmax.a: instead: softmax_merged.py cannot be read"),
        ('{ "y.amax()" = "x" }', "softmax.a: instead: 'y.amax()' stands nowhere; there stands:\n"),
        ('"gelu.b"', "softmax.a: instead: nothing is called 'gelu.b'"),
        ('{ "gelus: x" = "y" }', "softmax.a: instead: nothing in solutions/ is called 'gelus'"),
    ],
)
def test_an_entry_whose_edit_cannot_be_made_is_refused_by_name(instead: str, message: str) -> None:
    text = f"[softmax.a]\n{WORDS}instead = {instead}\n"
    with pytest.raises(CatalogueError, match=re.escape(f"04_softmax.toml: {message}")):
        edits_of(groups("04_softmax", read("04_softmax", text.encode()), {})["softmax"], "a")
