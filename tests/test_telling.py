"""What is said of a module that no known mistake explains is true of it, and leads to the place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from torch import nn

from grader.candidate.candidate import Candidate
from grader.candidate.candidate_module import CandidateModule
from grader.course.modules.module_subjects import module_subject
from grader.course.modules.telling import amount
from tests.candidates import Here


def built(made: Callable[..., nn.Module]) -> CandidateModule:
    here = Here()
    here.service.bind({"Attention": made})
    return Candidate("Attention", here).build()


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
