"""What is said of wrong code is its likeliest cause: sizes, layers, calls, and nothing lesser."""

from __future__ import annotations

import pytest

from grader.candidate.records import Mark
from grader.notebook.in_process import check_in_kernel
from tests.corpus import case

SAID = {
    "MultiHeadAttention/width_1024_fixed": (
        "hidden_size is 35, but 'attn.q_linear.weight' is [1024, 1024]",
    ),
    "TransformerEncoder/vocabulary_size_fixed": (
        "vocab_size is 29, but 'e.t.weight' is [30522, 35]",
    ),
    "FeedForward/inner_size_fixed_64": ("intermediate_size is 22, but 'a.weight' is [64, 35]",),
    "FeedForward/linear_called_with_two_arguments": ("What does the one that is called take",),
    "FeedForward/unknown_config_field": ("has no field 'embedding_dimension'; it has vocab_size",),
}
NOT_SAID = {
    "MultiHeadAttention/width_1024_fixed": ("TooManyParameters",),
    "FeedForward/linear_called_with_two_arguments": ("stub",),
    "FeedForward/if_on_whole_tensor": ("mask",),
    "FeedForward/unknown_config_field": ("did you mean", "nearest"),
    "Embeddings/sinusoids_filled_past_end": ("looked up",),
}


def marked(name: str) -> Mark:
    exercise, _, what = name.partition("/")
    defined: dict[str, object] = {}
    exec(case(f"{exercise}/wrong/{what}").source, defined)
    return check_in_kernel(exercise, defined[exercise]).mark


def said_of(mark: Mark) -> str:
    checks = [check.message for check in mark.checks]
    named = [f"{one.explanation} {one.question}" for one in mark.diagnosis]
    return "\n".join([mark.message, *checks, *named])


@pytest.mark.parametrize("name", sorted(SAID | NOT_SAID))
def test_the_cause_is_told_and_no_other(name: str) -> None:
    mark = marked(name)
    assert mark.verdict not in ("passed", "crashed")
    words = said_of(mark)
    assert all(part in words for part in SAID.get(name, ())), words
    assert not any(part in words for part in NOT_SAID.get(name, ())), words
