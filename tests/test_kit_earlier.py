"""Later chapters use the learner's own exercises, and the reference's where there are none yet."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch

import grader
from grader.cli.solve import reference_text

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
IMPORTS = """from collections.abc import Mapping
from typing import Any
import torch
from torch import Tensor, nn"""
STUB = "def softmax(x, dim):\n    raise NotImplementedError"
MINE = "import torch\ndef softmax(x, dim):\n    return torch.full_like(x, 7.0)"
MASKED = "def masked_softmax(scores, mask):\n    return 2 * softmax(scores, -1)"


@pytest.fixture
def earlier(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit import earlier

    monkeypatch.setattr(earlier, "FOLDER", tmp_path)
    earlier._exercise.cache_clear()
    earlier._told.clear()
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


def test_what_cannot_be_read_is_lent_and_said(
    earlier: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path, "x = 1", "def softmax(x, dim:\n    return x")
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]
    message = "Your softmax cannot be read (04_softmax.ipynb, cell 2, line 1): the reference lends"
    assert capsys.readouterr().out.startswith(message)


def test_an_own_exercise_may_stand_on_a_lent_one(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, STUB, MASKED)
    assert earlier.masked_softmax(torch.zeros(2), None).tolist() == [1.0, 1.0]


def test_a_notebook_saved_again_is_read_again(earlier: Any, tmp_path: Path) -> None:
    save(tmp_path, STUB)
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]
    save(tmp_path, MINE)
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [7.0, 7.0]


def test_a_check_that_is_remembered_leaves_an_exercise_the_same(
    earlier: Any, tmp_path: Path
) -> None:
    save(tmp_path, MINE)
    mine = earlier.softmax
    (tmp_path / "progress.toml").write_text('[gelu]\nverdict = "passed"\n', encoding="utf-8")
    assert earlier.softmax is mine


def test_what_does_not_run_is_lent_and_said(
    earlier: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(tmp_path, "scale = 1 / 0", "def softmax(x, dim):\n    return x * scale")
    assert earlier.softmax(torch.zeros(2), 0).tolist() == [0.5, 0.5]
    message = capsys.readouterr().out
    assert (
        "softmax does not run yet (ZeroDivisionError" in message
        and "the reference lends" in message
    )


RIGHT = """def softmax(x, dim):
    x = (x - x.amax(dim, keepdim=True)).exp()
    return x / x.sum(dim, keepdim=True)"""
SAID = [
    ((), "Lent by the reference until your own is saved: softmax.\n", "lent by the reference"),
    ((STUB,), "Lent by the reference until your own is saved: softmax.\n", "lent by the reference"),
    (
        (MINE,),
        "Your saved softmax (04_softmax.ipynb, cell 1) does not pass its check: failed. What ",
        "failed",
    ),
    (("def softmax(x, dim):\n    return x + y",), "does not pass its check: error.", "error"),
    ((RIGHT,), "", None),
]


@pytest.mark.parametrize(("cells", "message", "state"), SAID)
def test_it_says_once_what_makes_later_outputs_differ(
    cells: tuple[str, ...],
    message: str,
    state: str | None,
    earlier: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path, *cells)
    for _ in range(2):
        assert callable(earlier.softmax)
    said = capsys.readouterr().out
    assert (message in said if message else not said) and said.count("\n") <= 1
    shown = {row.exercise.name: row.state for row in grader.progress().rows}["softmax"]
    assert (state or "checked yet") in shown


def test_only_the_learners_own_is_marked(earlier: Any, tmp_path: Path) -> None:
    assert "Nothing was marked" in repr(grader.check(earlier.softmax))
    save(tmp_path, MINE)
    card = repr(grader.check(earlier.softmax))
    assert "softmax: failed" in card
    assert "This is your softmax as it is saved in 04_softmax.ipynb, cell 1." in card


RIGHT_MASKED = MASKED.replace(
    "2 * softmax(scores, -1)", "softmax(scores.masked_fill(mask == 0, -1e30), -1)"
)


def test_a_right_exercise_passes_and_names_the_earlier_one_that_is_wrong(
    earlier: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path, MINE, RIGHT_MASKED)
    taken = earlier.masked_softmax
    said = (
        "Your saved masked_softmax (04_softmax.ipynb, cell 2) passes its check with a right softmax"
    )
    assert capsys.readouterr().out.startswith(said)
    card = repr(grader.check(taken))
    assert "masked_softmax: passed, 2 of 2" in card
    assert "Elsewhere: With a right softmax this one passes" in card
    assert "Your softmax (04_softmax.ipynb, cell 1, line 2)" in card
    save(tmp_path, RIGHT, RIGHT_MASKED)  # and nothing is imported anew
    card = repr(grader.check(taken))
    assert "masked_softmax: passed, 2 of 2" in card and "Elsewhere" not in card
    assert "is older than what your cells hold" in card


def test_weights_are_loaded_into_the_learners_own_encoder(
    earlier: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = reference_text("BertEncoder").replace("self.layers", "self.blocks")
    load = reference_text("load_bert_weights").replace('"layers."', '"blocks."')
    save(tmp_path, IMPORTS, encoder, load)
    assert callable(earlier.load_bert_weights)
    assert not capsys.readouterr().out
    save(tmp_path, IMPORTS, encoder, load.replace('"blocks."', '"layers."'))
    assert callable(earlier.load_bert_weights)
    assert "load_bert_weights (04_softmax.ipynb, cell 3) does not pass" in capsys.readouterr().out


def test_nothing_is_said_of_an_earlier_exercise_that_is_not_called(
    earlier: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = "def masked_softmax(scores, mask):\n    return 2 * scores.softmax(-1)"
    for cells in ((MINE, alone), (STUB, MASKED)):  # none is called, or a lent one
        save(tmp_path, *cells)
        assert callable(earlier.softmax)
        card = repr(grader.check(earlier.masked_softmax))
        assert "masked_softmax: failed" in card
        assert "Elsewhere" not in card and "your softmax" not in card.lower()


def test_classes_come_too_and_other_names_do_not(earlier: Any) -> None:
    assert earlier.AdditiveScores(2, 3, 4)(torch.ones(1, 2, 2), torch.ones(1, 5, 3)).shape == (
        *(1, 2, 5),
    )
    with pytest.raises(AttributeError, match="no exercise"):
        _ = earlier.sofmax
