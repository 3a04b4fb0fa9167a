"""`check` in a real kernel: interrupted, out of date, beside what is lent, and what cells show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
STUB = "def softmax(x, dim):\n    raise NotImplementedError"
RIGHT = "def softmax(x, dim):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()"
INTERRUPTED = (
    "import os, signal\ndef softmax(x, dim):\n    os.kill(os.getpid(), signal.SIGINT)\n    return x"
)
CELLS = {
    "import": "from grader import check, progress\nfrom kit.earlier import causal_mask, encode",
    "lent": "check(causal_mask)",
    "stub": STUB,
    "not started": "check(softmax)",
    "interrupted": f"{INTERRUPTED}\ncheck(softmax)",
    "right": RIGHT,
    "passed": "check(softmax)",
    "does not parse": "def softmax(x, dim):\n    return x x",
    "older": "check(softmax)",
    "fails": f"1 / 0\n{STUB}",
    "older still": "check(softmax)",
    "mended": RIGHT,
    "newest": "check(softmax)",
    "prints": RIGHT.replace("    return", "    print('seen'); display('shown')\n    return"),
    "printed": "check(softmax)",
    "alone": "for each in (softmax, causal_mask): print(type(check(each)).__name__)",
    "wrong": "def softmax(x, dim):\n    return x",
    "misnamed": "def soft_max(x, dim):\n    return x.exp()",
    "meant": "check(softmax)",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[Any]]:
    """What each cell shows in a kernel that runs them all, whatever fails."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, timeout=300, allow_errors=True, resources=resources).execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def text(outputs: list[Any]) -> str:
    [output] = outputs
    return str(output.text if output.output_type == "stream" else output.data["text/plain"])


def test_one_line_says_what_is_lent(outputs: dict[str, list[Any]]) -> None:
    message = "Lent by the reference until your own is saved: causal_mask, encode.\n"
    assert text(outputs["import"]) == message
    assert "the reference's causal_mask" in text(outputs["lent"])


def test_an_interrupt_is_one_line_and_the_next_check_is_made(
    outputs: dict[str, list[Any]],
) -> None:
    [error] = outputs["interrupted"]
    message = "The check of softmax was interrupted at In [5], line 3. Nothing was marked."
    assert error.traceback == [message]
    assert "softmax: passed" in text(outputs["passed"])


def test_an_older_definition_is_not_judged(
    outputs: dict[str, list[Any]],
) -> None:
    assert text(outputs["older"]).splitlines() == [
        "In [8] does not parse",
        "  Line 2: invalid syntax.",
        "          return x x",
        "                   ^",
        "  Fix that cell and run it again.",
        "  Nothing was judged: until then, `softmax` is the older one, from In [6].",
    ]
    assert "In [10] ended in an error before it got to softmax" in text(outputs["older still"])
    for name in ("not started", "passed", "newest"):
        assert "older" not in text(outputs[name])


def test_a_newer_cell_that_is_nearly_named_so_is_pointed_at(outputs: dict[str, list[Any]]) -> None:
    [shown] = outputs["meant"]
    assert "In [18] defines `soft_max`: did you mean softmax?" in shown.data["text/plain"]
    assert "did you mean" not in text(outputs["printed"])


def test_what_it_shows_is_folded_into_the_card(outputs: dict[str, list[Any]]) -> None:
    card = text(outputs["printed"])
    assert card.count("seen") == card.count("shown") == 1
    assert text(outputs["alone"]) == "Card\nNotice\n"
