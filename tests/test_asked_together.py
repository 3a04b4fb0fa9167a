"""Requests that go to a worker together: each is answered, in order, as if it came alone."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.candidate.candidate import Candidate, Outcome
from grader.candidate.failures import CandidateError
from grader.worker.trail import MAX_BYTES
from tests.candidates import Here


class Counted(Here):
    """The same, and it counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        return super().request(op, payload)


def _made(size: int) -> torch.Tensor:
    if size < 0:
        raise ValueError("less than nothing")
    return torch.full((size,), float(size))


SIZES = st.lists(st.sampled_from([-1, 0, 3, 40_000, MAX_BYTES // 4]), max_size=8)


@given(SIZES)
def test_each_is_answered_as_if_it_were_asked_alone(sizes: list[int]) -> None:
    here = Counted()
    here.service.bind({"softmax": _made})
    candidate = Candidate("softmax", here)
    asks = [candidate.calling({"name": "softmax"}, (size,), {}, {}) for size in sizes]
    answers = candidate.several(asks)
    assert len(answers) == len(sizes)
    for size, answer in zip(sizes, answers, strict=True):
        if size < 0:
            assert isinstance(answer, CandidateError)
            assert "less than nothing" in str(answer)
        else:
            assert isinstance(answer, Outcome)
            assert torch.equal(answer.value, _made(size))
    assert here.count <= max(1, len(sizes))


def test_small_answers_take_one_request() -> None:
    here = Counted()
    here.service.bind({"softmax": _made})
    candidate = Candidate("softmax", here)
    candidate.several([candidate.calling({"name": "softmax"}, (3,), {}, {})] * 20)
    assert here.count == 1


def test_what_holds_many_tensors_is_sent_in_parts() -> None:
    here = Counted()
    here.service.bind({"softmax": torch.nn.ParameterList})
    candidate = Candidate("softmax", here)
    module = candidate.build([torch.ones(1)] * 600)
    values = {str(number): torch.full((1,), 2.0) for number in range(600)}
    here.count = 0
    assert module.several(*[module.writing(values)] * 3) == [{}] * 3
    assert here.count == 3
    assert all(float(value) == 2 for value in module.read().values())
