"""Later chapters use the learner's own exercises, and the reference's where there are none yet."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
STUB = "def softmax(x, dim):\n    raise NotImplementedError"
MINE = "import torch\ndef softmax(x, dim):\n    return torch.full_like(x, 7.0)"
MASKED = "def masked_softmax(scores, mask):\n    return 2 * softmax(scores, -1)"


@pytest.fixture
def earlier(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit import earlier

    monkeypatch.setattr(earlier, "FOLDER", tmp_path)
    earlier._exercise.cache_clear()
    yield earlier
    earlier._exercise.cache_clear()


def save(folder: Path, *cells: str) -> None:
    """A notebook of chapter 04, saved later than any before it."""
    code = [nbformat.v4.new_code_cell(cell) for cell in cells]
    path = folder / "04_softmax.ipynb"
    later = path.stat().st_mtime + 5 if path.exists() else 1e9
    nbformat.write(nbformat.v4.new_notebook(cells=code), path)
    os.utime(path, (later, later))


def test_the_learners_own_is_taken_even_where_it_is_wrong(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, MINE, "softmax(unknown, 0)  # is not run")
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [7.0, 7.0]


@pytest.mark.parametrize("cells", [(), (STUB,)])
def test_what_is_not_there_yet_is_lent(earlier: Any, tmp_path: Path, cells: tuple[str]) -> None:
    save(tmp_path, *cells)
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]


def test_what_cannot_be_read_is_lent_with_a_warning(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, "x = 1", "def softmax(x, dim:\n    return x")
    with pytest.warns(UserWarning, match=r"04_softmax.ipynb, cell 2, line 1"):
        assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]


def test_an_own_exercise_may_stand_on_a_lent_one(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, STUB, MASKED)
    assert earlier.masked_softmax(torch.zeros(2), None).tolist() == [1.0, 1.0]


def test_a_notebook_saved_again_is_read_again(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, STUB)
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]
    save(tmp_path, MINE)
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [7.0, 7.0]


def test_what_does_not_run_is_lent_with_a_warning(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, "scale = 1 / 0", "def softmax(x, dim):\n    return x * scale")
    with pytest.warns(UserWarning, match=r"softmax .*ZeroDivisionError.* the reference is used"):
        assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]


def test_classes_come_too_and_other_names_do_not(earlier: Any) -> None:
    assert earlier.AdditiveScores(2, 3, 4)(torch.ones(1, 2, 2), torch.ones(1, 5, 3)).shape == (
        *(1, 2, 5),
    )
    with pytest.raises(AttributeError, match="no exercise"):
        _ = earlier.sofmax
