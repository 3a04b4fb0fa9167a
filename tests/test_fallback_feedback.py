"""Where no known mistake fits, what is said of the place to look at is true, and names nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from grader.candidate.candidate import Candidate
from grader.candidate.message import Message, known
from grader.course.modules.module_subjects import module_subject
from grader.curriculum.references import reference
from grader.diagnosis.diagnose import diagnose
from grader.marking.examiner import one_thread
from tests.candidates import Here


@pytest.fixture(autouse=True)
def _as_marked() -> Iterator[None]:
    with one_thread():
        yield


class Attention(nn.Module):
    """Multi-head attention with something done to its scores, weights or heads."""

    wrong = ""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.heads = config.num_attention_heads
        self.q, self.k, self.v, self.o = (
            nn.Linear(config.hidden_size, config.hidden_size) for _ in range(4)
        )

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = (
            f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.q, self.k, self.v)
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, -torch.inf)
        weights = scores.softmax(-1)
        if self.wrong == "weights":
            weights = weights.square() / weights.square().sum(-1, keepdim=True)
        if self.wrong == "unread":  # linear, but not in what its weights say
            v = self.v(x.flip(-1) - x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        context = weights @ v
        if self.wrong == "heads":
            context = context * torch.arange(1, self.heads + 1)[:, None, None]
        out: Tensor = self.o(context.transpose(1, 2).flatten(2))
        return out.exp() if self.wrong == "tokens" else out


class OneAfterAnother(reference("TransformerEncoder")):  # type: ignore[misc]
    """An encoder whose layers after the first get longer vectors than they should."""

    def forward(self, ids: Tensor, mask: Tensor | None = None) -> Tensor:
        keep = None if mask is None else mask[:, None]
        x = self.embeddings(ids)
        for index, layer in enumerate(self.layers):
            x = layer(x * (1 + index), keep)
        found: Tensor = self.norm(x)
        return found


def of(exercise: str, made: type[nn.Module]) -> Candidate:
    here = Here()
    here.service.bind({exercise: made})
    return Candidate(exercise, here)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("weights", "A sentence of a single token comes out right, longer ones do not."),
        ("heads", "With a single head its values are right, with several they are not."),
        ("unread", "With a single token its answer is a linear map of that token"),
        ("tokens", "Not even for a sentence of a single token"),
        ("", ""),
    ],
)
def test_where_an_attention_is_right(wrong: str, message: str) -> None:
    made = type("Made", (Attention,), {"wrong": wrong})
    candidate = of("MultiHeadAttention", made)
    assert diagnose("MultiHeadAttention", candidate, 0) == ()
    found = _lead("MultiHeadAttention", candidate)
    assert found.startswith(message) if message else not found


def test_a_stack_that_is_right_with_one_layer() -> None:
    candidate = of("TransformerEncoder", OneAfterAnother)
    assert diagnose("TransformerEncoder", candidate, 0) == ()
    message = _lead("TransformerEncoder", candidate)
    assert message.startswith("With one layer its values are right, with several they are not.")


@pytest.mark.parametrize("exercise", ["LayerNorm", "softmax", "Embeddings"])
def test_there_is_none_where_nothing_can_be_taken_away(exercise: str) -> None:
    assert not _lead(exercise, of(exercise, reference(exercise)))


def _lead(exercise: str, candidate: Candidate) -> Message:
    subject = module_subject(exercise)
    return known("") if subject is None else subject.lead(subject, candidate, 0)
