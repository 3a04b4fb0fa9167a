"""What is said of a function that does nothing that is known, and that right ones hear nothing."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from grader.diagnosis.misconceptions.registry import function_subject
from grader.diagnosis.unforeseen import unforeseen
from tests.candidates import bound, loaded

HALF_ROWS = """
import torch
def embed_one_hot(token_ids, table):
    chosen = torch.nn.functional.one_hot(token_ids, len(table)).half()
    return (chosen @ table.half()).to(table.dtype)
"""
QUERIES_LAST = """
def attention_scores(query, key):
    return (query @ key.mT / query.shape[-1] ** 0.5).permute(1, 2, 0)
"""
OWN_BACKWARD = """
import torch
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.gelu(x)
    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0].sigmoid()
gelu = Own.apply
"""
ASSERTED = """
def patch_head(found, instead, head, num_heads):
    assert found.shape == instead.shape and 0 <= head < num_heads
    width = found.shape[-1] // num_heads
    patched = found.clone()
    patched[..., head * width :][..., :width] = instead[..., head * width :][..., :width]
    return patched
"""
TWENTY_KEYS = """
def attention_scores(query, key):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    scores[..., 20:] = scores[..., 20:] / 2
    return scores
"""
# No longer input makes this one wrong: a large number does, wherever it stands.
LARGE_ONES = """
def attention_scores(query, key):
    return query @ key.clamp(max=3.5).mT / query.shape[-1] ** 0.5
"""
# Nor this one: a large sum does, of however many products.
LARGE_SUMS = """
def attention_scores(query, key):
    return (query @ key.mT).clamp(-100, 100) / query.shape[-1] ** 0.5
"""
# Nor these: another length beside this one does.
AS_MANY_FEATURES = """
def merge_heads(x):
    merged = x.new_zeros(x.shape[0], x.shape[2], x.shape[1] * x.shape[3])
    for head in range(x.shape[1]):
        merged[..., head * x.shape[1] :][..., : x.shape[3]] = x[:, head]
    return merged
"""
LABELS_SEEN = """
import torch
def cross_entropy(logits, labels):
    chosen = torch.nn.functional.one_hot(labels)
    return -(chosen * logits.log_softmax(-1)).sum(-1).mean()
"""
BLOCKS = """
import torch
def attention_scores(query, key):
    return torch.cat([query @ some.mT for some in key.split(7, 1)], -1) / query.shape[-1] ** 0.5
"""


def said(exercise: str, code: str) -> list[tuple[str, str]]:
    subject = function_subject(exercise)
    assert subject is not None
    found = unforeseen(subject, loaded(exercise, code), 0)
    return [(one.id, one.explanation) for one in found]


@pytest.mark.parametrize(
    ("exercise", "code", "name", "words"),
    [
        ("embed_one_hot", HALF_ROWS, "half_precision", "16 bits"),
        ("attention_scores", QUERIES_LAST, "axes_in_another_order", "another order"),
        ("gelu", OWN_BACKWARD, "gradients_off", "The values are right"),
        ("patch_head", ASSERTED, "another_exception", "another type"),
        ("attention_scores", TWENTY_KEYS, "from_some_length_on", "axis 1 of key: an input with 21"),
    ],
)
def test_what_holds_of_all_answers_is_said(exercise: str, code: str, name: str, words: str) -> None:
    ((id, text),) = said(exercise, code)
    assert id == name
    assert words in text


@pytest.mark.parametrize(
    ("exercise", "code"),
    [
        *(("attention_scores", code) for code in (LARGE_ONES, LARGE_SUMS, BLOCKS)),
        ("merge_heads", AS_MANY_FEATURES),
        ("cross_entropy", LABELS_SEEN),
    ],
)
def test_nothing_is_said_of_a_length_that_does_not_matter(exercise: str, code: str) -> None:
    assert said(exercise, code) == []


def test_chance_has_no_name() -> None:
    def drawn(x: Tensor, dim: int) -> Tensor:
        return torch.rand_like(x)

    subject = function_subject("softmax")
    assert subject is not None
    assert unforeseen(subject, bound("softmax", drawn), 0) == ()
