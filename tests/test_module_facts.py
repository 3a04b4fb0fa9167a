"""What is said of a module that no known mistake explains is true of it, and leads to the place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from grader.candidate.candidate import Candidate
from grader.candidate.candidate_module import CandidateModule
from grader.course.modules.module_facts import amount, masking, operations
from grader.course.modules.module_subjects import module_subject
from tests.candidates import Here

X = torch.randn(3, 4, 6, generator=torch.Generator().manual_seed(0))
MASK = torch.tensor([[[1, 1, 1, 0]], [[1, 1, 0, 0]], [[1, 0, 1, 1]]])


class Attention(nn.Module):
    """Attention without projections, with one thing wrong."""

    def __init__(self, wrong: str = "") -> None:
        super().__init__()
        self.wrong = wrong

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        scores = x @ x.mT
        if mask is not None and self.wrong != "ignores":
            if self.wrong == "shared":
                mask = mask[:1]
            fill = 0.0 if self.wrong == "leaks" else -torch.inf
            scores = scores.masked_fill(mask == 0, fill)
        if self.wrong == "first sees all":
            future = torch.ones(scores.shape[-2:], dtype=torch.bool).triu()
            scores = scores.masked_fill(future, -1e9)
        weights = scores.softmax(-1)
        if self.wrong == "unnormalised":
            weights = scores.exp()
        if self.wrong == "half" and mask is not None:
            weights = weights / 2
        if self.wrong == "reshaped":
            x = x.reshape(len(x), x.shape[2], x.shape[1]).mT
        return torch.as_tensor(weights @ x)


class Neighbours(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x - x.mean((1, 2), keepdim=True)


def built(made: Callable[..., nn.Module], *args: str) -> CandidateModule:
    here = Here()
    here.service.bind({"Attention": made})
    return Candidate("Attention", here).build(*args)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("ignores", "the mask makes no difference"),
        ("leaks", "when a hidden token's vector changes"),
        ("shared", "masks that are not their own"),
        ("half", "hidden tokens change nothing, as it should be"),
    ],
)
def test_what_becomes_of_hidden_tokens(wrong: str, message: str) -> None:
    assert message in masking(built(Attention, wrong), X, MASK)


def test_what_moves_what_it_should_not() -> None:
    right = built(Attention)
    assert operations("MultiHeadAttention", right, X) is None
    reshaped = built(Attention, "reshaped")
    assert "change places" in operations("MultiHeadAttention", reshaped, X)
    unnormalised = built(Attention, "unnormalised")
    assert "did not sum to 1" in operations("AttentionHead", unnormalised, X)
    assert "what comes later is not hidden" in operations("TransformerDecoderLayer", right, X)
    assert "reaches across the sequence" in operations("LayerNorm", built(Neighbours), X)
    assert operations("LayerNorm", built(nn.Identity), X) is None


def test_a_first_token_that_has_nothing_to_see() -> None:
    message = operations("TransformerDecoderLayer", built(Attention, "first sees all"), X)
    assert "what is left that the first token may attend to" in message


@pytest.mark.parametrize(
    ("exercise", "made", "message"),
    [
        ("CrossAttention", lambda: nn.Linear(5, 5), "owns 30 numbers"),
        ("CrossAttention", lambda: nn.Linear(70, 70, bias=False), ""),
        ("CrossAttention", lambda: nn.Linear(100, 100), "one too many"),
        ("FeedForward", lambda: nn.Linear(35, 22), "at least"),
        ("FeedForward", lambda: nn.Sequential(nn.Linear(35, 22), nn.Linear(22, 35)), ""),
        (
            "FeedForward",
            lambda: nn.Sequential(nn.Linear(35, 22), nn.Linear(22, 35), nn.LayerNorm(35)),
            "one too many",
        ),
        ("LayerNorm", lambda: nn.Linear(5, 5), "one too many"),
    ],
)
def test_numbers_to_learn(exercise: str, made: Callable[[], nn.Module], message: str) -> None:
    subject = module_subject(exercise)
    assert subject is not None
    found = amount(subject, built(made))
    assert message in found if message else not found


def test_what_raises_shows_nothing() -> None:
    picky = built(nn.PairwiseDistance)  # wants an argument that nobody gives
    assert operations("MultiHeadAttention", picky, X) is None
