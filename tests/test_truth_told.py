"""What is said of wrong code is its likeliest cause: sizes, layers, calls, and nothing lesser."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.candidate.records import Mark
from grader.notebook.in_process import mark_in_kernel

WRONG = Path(__file__).parent / "implementations" / "modules" / "wrong"
TOLD = {
    "MultiHeadAttention_63": ("hidden_size is 35, but 'attn.q_linear.weight' is [1024, 1024]",),
    "TransformerEncoder_76": ("It has 30 layers although num_hidden_layers is 3",),
    "TransformerEncoder_77": ("vocab_size is 29, but 'e.t.weight' is [30522, 35]",),
    "FeedForward_64": ("intermediate_size is 22, but 'a.weight' is [64, 35]",),
    "FeedForward_65": ("What does the one that is called take",),
    "FeedForward_67": ("has no field 'embedding_dimension'; it has vocab_size",),
}
NOT_TOLD = {
    "MultiHeadAttention_63": ("TooManyParameters",),
    "FeedForward_65": ("stub",),
    "FeedForward_66": ("mask",),
    "FeedForward_67": ("did you mean", "nearest"),
    "Embeddings_15": ("looked up",),
}


def marked(file: str) -> Mark:
    exercise = file.rpartition("_")[0]
    defined: dict[str, object] = {}
    exec((WRONG / f"{file}.py").read_text("utf-8"), defined)
    return mark_in_kernel(exercise, defined[exercise])


def told(mark: Mark) -> str:
    checks = [check.message for check in mark.checks]
    named = [f"{one.explanation} {one.question}" for one in mark.diagnosis]
    return "\n".join([mark.message, *checks, *named])


@pytest.mark.parametrize("file", sorted(TOLD | NOT_TOLD))
def test_the_cause_is_told_and_no_other(file: str) -> None:
    mark = marked(file)
    assert mark.verdict not in ("passed", "crashed")
    words = told(mark)
    assert all(part in words for part in TOLD.get(file, ())), words
    assert not any(part in words for part in NOT_TOLD.get(file, ())), words
