"""Every plot says in words what it shows, computed from its numbers."""

from pathlib import Path
from typing import Any

import pytest
import torch

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
WORDS = ["time", "flies"]


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit import figures

    return figures


def test_a_matrix_of_weights(figures: Any) -> None:
    words = figures.heatmap(torch.tensor([[0.25, 0.75], [0.5, 0.5]]), WORDS, WORDS, "weights")
    assert words == (
        "weights: 2 × 2 (query × key), from 0.25 to 0.75, each row (query) sums to 1;\n"
        "largest in its row: time: flies; flies: all"
    )


def test_what_is_hidden_or_lost_is_counted(figures: Any) -> None:
    words = figures.heatmap([[1.0, float("-inf")], [float("nan"), -2.0]], WORDS, WORDS)
    assert "from -2 to 1, 1 hidden (-∞), 1 nan" in words
    assert figures.heatmap([[float("nan")]]) == "1 × 1 (query × key), no number is finite"


def test_a_mask(figures: Any) -> None:
    words = figures.heatmap(torch.tensor([[True, False], [True, True]]), WORDS, WORDS)
    assert words == "2 × 2 (query × key), 3 of 4 are 1; 1 at: time: time; flies: all"


def test_a_large_matrix_is_told_in_short(figures: Any) -> None:
    assert figures.heatmap(torch.ones(40, 30) * 2) == "40 × 30 (query × key), from 2 to 2"


def test_whole_numbers_are_told_row_by_row(figures: Any) -> None:
    """Where numbers say where they come from, each place matters, not the largest alone."""
    words = figures.heatmap(torch.arange(10, 16).view(2, 3), WORDS, None, "cut", "token", "feature")
    said = "row by row: time: 10 11 12; flies: 13 14 15"
    assert " ".join(words.split()) == f"cut: 2 × 3 (token × feature), from 10 to 15; {said}"


def test_lines(figures: Any) -> None:
    words = figures.lines([1, 10, 100], {"a": [2, 20, 200], "b": [1, 9, 1]}, "d", "size", "T")
    assert words.splitlines() == [
        "T",
        "a: from 2 at d 1 to 200 at 100",
        "b: from 1 at d 1 to 1 at 100, highest 9 at 10",
    ]
    words = figures.lines([1, 10, 100], {"a": [2, 20, 200]}, "d", "size", scale="log-log")
    assert words.endswith("slope on these axes 1")


def test_what_is_told_hangs_on_no_last_digit(figures: Any) -> None:
    tie = figures.lines(range(5), {"a": [1.0, 0.5, 3.0, 0.5 + 1e-9, 1.0]}, "x", "y")
    assert tie == figures.lines(range(5), {"a": [1.0, 0.5 + 1e-9, 3.0, 0.5, 1.0]}, "x", "y")
    assert "lowest 0.5 at 1" in tie
    rows = ([5 - 1e-9, *[5.0] * 19], [5.0] * 20)
    many = [figures.bars(range(20), {"n": row}, "n") for row in rows]
    assert many[0] == many[1] == "n: largest 0 = 5, smallest 0 = 5"
    assert figures.bars(["one"], {"n": [1 - 1e-9]}, "n") == "n: one = 1"
    assert "to 1e-09 at 1" in figures.lines([0, 1], {"a": [1.0, 1e-9]}, "x", "y")


def test_a_line_with_gaps(figures: Any) -> None:
    words = figures.lines([1, 2, 3], {"a": [float("nan"), 2.0, 3.0]}, "d", "size")
    assert words == "a: from 2 at d 2 to 3 at 3"
    assert figures.lines([1], {"a": [float("inf")]}, "d", "size") == "a: no number is finite"


def test_bars(figures: Any) -> None:
    words = figures.bars(WORDS, {"weight": torch.tensor([0.2, 12345.0])}, "size")
    assert words == "weight: time = 0.20, flies = 12,345"
    many = figures.bars(range(20), {"n": range(20)}, "size")
    assert many == "n: largest 19 = 19, smallest 0 = 0"


def test_in_a_notebook_the_picture_has_the_words_as_its_alternative(
    figures: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(figures, "get_ipython", object)
    monkeypatch.setattr(figures, "display", shown.append)
    words = figures.heatmap(torch.eye(2))
    [image] = shown
    assert image.alt == words
    assert image.data.startswith(b"\x89PNG")


def test_no_line_runs_through_the_names_of_the_lines(
    figures: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(figures, "show", lambda figure, told: drawn.append(figure))
    figures.lines([1, 2], {name: [1, 2] for name in "abcdefg"}, "d", "size")
    figures.bars(WORDS, {"a": [1, 2], "a longer name than usual": [2, 1]}, "size")
    for figure in drawn:
        figure.draw_without_rendering()
        [legend], [axes] = figure.legends, figure.axes
        box = legend.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width
        assert box.y1 <= axes.get_window_extent().y0


@pytest.mark.parametrize("size", [2, 5, 10, 64])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_matrices_side_by_side_fit_a_page(
    figures: Any, monkeypatch: pytest.MonkeyPatch, size: int, count: int
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(figures, "show", lambda figure, told: drawn.append(figure))
    figures.heatmaps({str(number): torch.eye(size) for number in range(count)})
    [figure] = drawn
    assert figure.get_figwidth() <= figures.PAGE + 0.5 * count
