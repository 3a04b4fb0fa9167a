"""What a worker's problem says on this side: the same in every run."""

from __future__ import annotations

import pytest
import torch

from grader.candidate.candidate import Candidate
from grader.candidate.failures import CandidateError, Problem
from tests.candidates import Here
from tests.services import loaded, problem


def _cleaned(message: str) -> str:
    problem = {"kind": "raised", "type": "ValueError", "message": message, "where": "call"}
    return Problem.from_value({**problem, "frames": []}).message


@pytest.mark.parametrize(
    ("message", "cleaned"),
    [
        ("<object object at 0x7f3a2b1c>", "<object object at 0x…>"),
        ("at 0x55F1AB00, at0x7f0000", "at 0x…, at0x…"),
        ("0xff is no 0xabcde", "0xff is no 0xabcde"),
    ],
)
def test_addresses_are_left_out(message: str, cleaned: str) -> None:
    assert _cleaned(message) == cleaned


def test_shapes_of_what_was_given_stand_beside_an_error() -> None:
    def wrong(x: torch.Tensor, count: int, mask: torch.Tensor) -> torch.Tensor:
        return x @ mask

    here = Here()
    here.service.bind({"softmax": wrong})
    with pytest.raises(CandidateError, match=r"when given \[2, 3, 4\] and \[5\]$"):
        Candidate("softmax", here)(torch.ones(2, 3, 4), 7, mask=torch.ones(5))


@pytest.mark.filterwarnings("ignore")
def test_an_operator_that_nobody_can_look_into_is_refused_in_plain_words() -> None:
    service = loaded(
        """
        from torch.nn.attention.flex_attention import flex_attention
        def f(x):
            return flex_attention(x, x, x)
        """
    )
    found = problem(service, torch.ones(2, 1, 16, 16), trace=True)
    assert found["type"] == "RuntimeError"
    assert found["message"].startswith("flex_attention is a ready-made operator")
    assert "0x" not in found["message"] and "worker" not in found["message"]
