"""Answers are the same up to rounding: what is told quickly is what all numbers together say."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.diagnosis.patterns import close
from grader.diagnosis.sameness import same_value

_NUMBERS = st.sampled_from([0.0, 1.0, 1.0 + 1e-6, -2.0, 1e6, math.nan, math.inf, -math.inf])


@given(st.lists(st.tuples(_NUMBERS, _NUMBERS), max_size=4))
def test_ends_decide_nothing_that_all_numbers_would_not(pairs: list[tuple[float, float]]) -> None:
    one, other = torch.tensor([a for a, _ in pairs]), torch.tensor([b for _, b in pairs])
    assert same_value(one, other, 1e-5) == bool(close(one, other, 1e-5).all())


def test_a_number_alone_is_compared_too() -> None:
    assert same_value(torch.tensor(1.0), torch.tensor(1.0), 1e-5)
    assert not same_value(torch.tensor(1.0), torch.tensor(2.0), 1e-5)
