"""Holds the grader to mutants of some small solutions, and its switchable references to ours."""

from __future__ import annotations

import ast
import random
import warnings
from functools import partial

import pytest

from benchmarks.equivalence import difference
from benchmarks.inputs import DRAWN
from benchmarks.mutant_marks import mark_one
from benchmarks.mutants import mutants, original, planted
from grader.diagnosis.misconceptions.registry import (
    entry_point,
    function_subject,
    function_subjects,
)

SMALL = ("sentence_vector", "causal_mask", "padding_mask")  # `make mutants` tries all


@pytest.mark.parametrize("exercise", SMALL)
def test_a_mutant_is_caught_or_makes_no_difference_and_has_no_wrong_name_or_line(
    exercise: str,
) -> None:
    for mutant in mutants(exercise):
        mark = mark_one(exercise, mutant)
        assert mark.caught or not mark.survived, mutant.name
        assert not mark.misnamed, (mark.names, mutant.name)
        assert mark.located != "wrongly", (mark.line, mutant.name)


@pytest.mark.parametrize("exercise", [*SMALL, "LayerNorm", "train_step", "spot_embeddings"])
def test_a_solution_has_mutants_and_each_is_another_program(exercise: str) -> None:
    made = mutants(exercise)
    assert len(made) >= 10
    assert len({ast.dump(ast.parse(mutant.source)) for mutant in made[:20]}) == len(made[:20])
    assert all(mutant.before != mutant.after for mutant in made)


def test_inputs_are_drawn_for_every_function_that_is_called_by_itself() -> None:
    called = {s.exercise for s in function_subjects() if entry_point(s.exercise) is None}
    assert called == set(DRAWN)


@pytest.mark.parametrize("exercise", DRAWN)
def test_the_switchable_reference_is_the_reference(exercise: str) -> None:
    subject = function_subject(exercise)
    assert subject is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert difference(exercise, partial(subject.run, on=frozenset()), tries=25) == ""


def test_several_changes_stand_in_lines_of_their_own() -> None:
    source = original("softmax")
    made = planted("softmax", source, 2, random.Random(0))
    assert made is not None
    one, other = source.splitlines(), made.source.splitlines()
    assert len(made.lines) >= 2 and made.first < made.lines
    assert min(made.first) == min(made.lines)
    assert any(other[line - 1] not in one for line in made.lines)


def test_where_the_exercise_is_not_nothing_is_planted() -> None:
    assert planted("softmax", "def other(x):\n    return x\n", 1, random.Random(0)) is None
