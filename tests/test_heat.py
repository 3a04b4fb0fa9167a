"""A matrix beside the expected one: the part that differs first, in a few readable numbers."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from torch import Tensor

from grader.candidate.records import CheckOutcome, CheckResult, Picture
from grader.checks.picture import picture_of
from grader.marking.redaction import Redaction
from grader.report.heat import heat_map


def drawn(got: Tensor, expected: Tensor, **sizes: int) -> Picture:
    picture = picture_of(got, expected, 1e-5, sizes)
    assert picture is not None
    return picture


@given(some.lists(some.integers(1, 9), min_size=1, max_size=4), some.integers(0))
def test_the_first_difference_is_in_the_window(shape: list[int], at: int) -> None:
    expected = (torch.arange(math.prod(shape)) % 7).reshape(shape).float()
    got = expected.clone()
    if got.numel() < 2:
        assert picture_of(got, expected + 1, 1e-5) is None
        return
    assert picture_of(got, expected, 1e-5) is None
    got.view(-1)[at % got.numel()] += 0.5
    picture = drawn(got, expected)
    assert (picture.wrong, picture.total) == (1, got.numel())
    shown = heat_map(picture)
    cells = [cell for row in shown.grids[2][1] for cell in row]
    assert sum(cell.text == ".50" for cell in cells) == 1
    assert sum(cell.colour == "u3" for cell in cells) == 1
    assert len(cells) <= 30


def test_axes_go_by_their_names_where_sizes_tell() -> None:
    expected = torch.zeros(2, 3, 5)
    got = expected.clone()
    got[1, 2, 4] = 1.0
    named = drawn(got, expected, batch=2, query=3, key=5)
    assert (named.part, named.axes) == ("batch 1", ("query", "key"))
    assert heat_map(named).sentence == (
        "Shown is batch 1; rows are query, columns key. 1 of 30 numbers differ, "
        "here most at query 2 and key 4: 0 was expected, yours is 1."
    )
    unnamed = drawn(got, expected, seq=3, heads=3)
    assert (unnamed.part, unnamed.axes) == ("index 1 of axis 0", ("axis 1", "axis 2"))
    row = drawn(got[1, 2], expected[1, 2])
    assert not heat_map(row).rows and len(heat_map(row).columns) == 5


@pytest.mark.parametrize(
    ("got", "texts"),
    [
        ([0.25, math.nan], (".25", "nan")),
        ([-math.inf, 1.0], ("−∞", "1")),
        ([1234.5, -2.0], ("1234", "−2")),  # halves go to the even side
        ([1.5e7, 2.25], ("2e7", "2e0")),
        ([1e-4, 2e-4], ("1e−4", "2e−4")),
    ],
)
def test_numbers_are_short(got: list[float], texts: tuple[str, str]) -> None:
    shown = heat_map(drawn(torch.tensor([got, [0.0, 0.0]]), torch.zeros(2, 2)))
    assert tuple(cell.text for cell in shown.grids[1][1][0])[: len(texts)] == texts


def test_where_something_is_lent_nothing_is_drawn() -> None:
    picture = drawn(torch.ones(2, 2), torch.zeros(2, 2))
    check = CheckResult("Values.", CheckOutcome.FAILED, "", picture=picture)
    assert Redaction(()).result(check).picture is None
