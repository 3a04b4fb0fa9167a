"""Every known wrong turn of a function is caught and named by its own name, and nothing else is."""

from __future__ import annotations

import pytest
import torch

from benchmarks.variants import AS_CODE
from grader.diagnosis.function_diagnosis import diagnose_function
from grader.diagnosis.misconceptions.registry import function_subject, function_subjects
from tests.candidates import Candidate, bound, failed, loaded, solution, variant
from tests.marked_cases import sample
from tests.test_function_checks import FUNCTIONS

VARIANTS = [
    (subject.exercise, one.id)
    for subject in function_subjects()
    if subject.exercise not in AS_CODE
    for one in subject.misconceptions
    if one.error is None
]


def named(exercise: str, candidate: Candidate) -> list[str]:
    subject = function_subject(exercise)
    assert subject is not None
    found = diagnose_function(subject, candidate, 0)
    return [one.id for one in found]


@pytest.mark.parametrize(("exercise", "switch"), sample(VARIANTS, 8))
def test_each_mistake_is_caught_and_named_by_its_own_name(exercise: str, switch: str) -> None:
    subject = function_subject(exercise)
    assert subject is not None
    wrong = variant(subject, switch)
    assert failed(exercise, wrong)
    assert named(exercise, wrong) == [switch]


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_a_solution_passes_and_has_no_name(exercise: str) -> None:
    assert failed(exercise, solution(exercise)) == []
    assert named(exercise, solution(exercise)) == []


@pytest.mark.parametrize(
    ("exercise", "pair"),
    [
        ("attention_scores", {"unscaled", "scores_transposed"}),
        ("attention_scores", {"scaled_by_width", "relu_scores"}),
        ("masked_softmax", {"mask_inverted", "softmax_over_queries"}),
        ("scaled_dot_product_attention", {"unscaled", "mask_inverted"}),
        ("scaled_dot_product_attention", {"scaled_by_root_of_queries", "mask_after_softmax"}),
        ("sinusoidal_encoding", {"from_one", "halves"}),
        ("pad_batch", {"left", "inverted"}),
        ("greedy_decode", {"start_dropped", "last_alone"}),
    ],
)
def test_two_mistakes_at_once_are_both_named(exercise: str, pair: set[str]) -> None:
    subject = function_subject(exercise)
    assert subject is not None
    assert set(named(exercise, variant(subject, *pair))) == pair


def test_what_nobody_foresaw_has_no_name() -> None:
    candidate = bound("attention_scores", lambda q, k: (q @ k.mT).sin() * 0.3)
    assert named("attention_scores", candidate) == []
    candidate = bound("softmax", lambda x, dim: torch.rand_like(x))
    assert named("softmax", candidate) == []


@pytest.mark.parametrize(
    ("exercise", "code", "expected"),
    [
        (
            "scaled_dot_product_attention",
            "def scaled_dot_product_attention(query, key, value, mask=None):\n"
            "    s = query @ key.mT / query.shape[-1] ** 0.5\n"
            "    if mask:\n        s = s.masked_fill(mask == 0, -1e9)\n"
            "    return s.softmax(-1) @ value\n",
            "mask_as_truth",
        ),
        (
            "masked_softmax",
            "def masked_softmax(scores, mask):\n"
            "    return (scores + (1 - mask) * -1e9).softmax(-1)\n",
            "bool_minus",
        ),
        (
            "merge_heads",
            "def merge_heads(x):\n    b, h, s, d = x.shape\n"
            "    return x.transpose(1, 2).view(b, s, h * d)\n",
            "view_after_transpose",
        ),
        (
            "embed_one_hot",
            "import torch\ndef embed_one_hot(token_ids, table):\n"
            "    return torch.nn.functional.one_hot(token_ids, len(table)) @ table\n",
            "integer_one_hot",
        ),
        (
            "attention_scores",
            "import torch\ndef attention_scores(query, key):\n"
            "    return torch.bmm(query, key) / query.shape[-1] ** 0.5\n",
            "not_transposed",
        ),
    ],
)
def test_exceptions_tell_too(exercise: str, code: str, expected: str) -> None:
    assert named(exercise, loaded(exercise, code)) == [expected]


def test_some_exercises_are_tried_as_code_alone() -> None:
    assert set(FUNCTIONS) >= AS_CODE
