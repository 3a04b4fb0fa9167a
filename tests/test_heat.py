"""A matrix beside the expected one: the part that differs first, in a few readable numbers."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from torch import Tensor

from grader.candidate.candidate import Outcome
from grader.candidate.records import CheckOutcome, CheckResult, Picture
from grader.course.modules.module_subjects import module_subject
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.interpretation.behaviour import observed
from grader.diagnosis.picture import picture_of
from grader.marking.gate import Gate
from grader.report.heat import heat_map
from grader.report.story import story
from tests.candidates import loaded, mark_candidate

HEAD = """import torch
from torch import nn
class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))
    def forward(self, x, mask=None):
        scores = self.q(x) @ self.k(x).mT / self.q.out_features**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(-1) @ self.v(x)
"""
NORM = """import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps
    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return self.weight * x / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt() + self.bias
"""


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
        "Shown is batch 1; rows are query, columns key; 15 of 30 numbers are drawn. "
        "1 of 30 numbers differ, "
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
    assert Gate([], lends=True).result(check).picture is None


@pytest.mark.parametrize(
    ("exercise", "right", "place", "mistake", "axes"),
    [
        ("AttentionHead", HEAD, " / self.q.out_features**0.5", "", ("token", "feature")),
        ("AttentionHead", HEAD, "mask == 0", "mask != 0", ("token", "feature")),
        ("AttentionHead", HEAD, "softmax(-1)", "softmax(-2)", ("token", "feature")),
        ("LayerNorm", NORM, " - x.mean(-1, keepdim=True)", "", ("token", "feature")),
    ],
)
def test_a_module_stands_beside_what_its_own_numbers_give_where_the_mistake_is_mended(
    exercise: str, right: str, place: str, mistake: str, axes: tuple[str, str]
) -> None:
    wrong = loaded(exercise, right.replace(place, mistake))
    mark = mark_candidate(syllabus()[exercise], wrong)
    picture = mark.checks[0].picture
    assert picture is not None and picture.axes == axes
    assert story(mark).leading[0].picture == picture  # and it is told first
    subject = module_subject(exercise)
    assert subject is not None
    mended = observed(subject, loaded(exercise, right), 0)
    pairs = zip(observed(subject, wrong, 0).outcomes, mended.outcomes, strict=True)
    drawn_anew = next(filter(None, (_beside(got, expected) for got, expected in pairs)))
    assert _numbers(picture) == pytest.approx(_numbers(drawn_anew), rel=1e-3, abs=1e-4)


def test_no_module_is_drawn_where_nothing_says_what_its_numbers_are_for() -> None:
    shared = HEAD.replace("self.k(x)", "self.q(x)")
    guessed = HEAD.replace("scores.softmax(-1)", "scores.tanh().cumsum(-1)")
    for source in (shared, guessed):
        mark = mark_candidate(syllabus()["AttentionHead"], loaded("AttentionHead", source))
        assert mark.checks[0].outcome is CheckOutcome.FAILED and mark.checks[0].picture is None


def _beside(got: object, expected: object) -> Picture | None:
    assert isinstance(got, Outcome) and isinstance(expected, Outcome)
    return picture_of(got.value, expected.value, 1e-4)


def _numbers(picture: Picture) -> list[float]:
    rows = (*picture.expected, *picture.got)
    return [float(text) for row in rows for text in row]
