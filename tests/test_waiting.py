"""An unsolved notebook runs to its end, and a solved one that raises still fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jupyter_client.manager import KernelManager, start_new_kernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook

STUB = "def softmax(x, dim):\n    raise NotImplementedError"
MODULE = """class LayerNorm:
    def __init__(self, hidden_size):
        raise NotImplementedError"""
SAID = "⋯ This cell waits for {}, which is still to be written.\n"


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    manager, client = start_new_kernel()
    client.stop_channels()
    yield manager
    manager.shutdown_kernel(now=True)


def run(kernel: KernelManager, *cells: str) -> list[str]:
    """What each cell prints."""
    notebook = new_notebook(cells=[new_code_cell(each) for each in cells])
    NotebookClient(notebook, km=kernel).execute()
    return ["".join(each.get("text", "") for each in cell.outputs) for cell in notebook.cells]


def test_cells_wait_and_those_below_them_run(kernel: KernelManager) -> None:
    said = run(
        kernel,
        f"from grader import check\n{STUB}\n{MODULE}",
        "first = 1\nweights = softmax([1.0], 0)\nlast = 2",
        "print(first, weights)",
        "LayerNorm(3)",
        "print('done')",
        "rows = []\nfor dim in range(3):\n    rows.append(softmax([1.0], dim))",
        "top = rows[2]",
        "print(len(rows))",
        "softmax = lambda x, dim: x\nweights = softmax([1.0], 0)",
        "print(first, weights, 'last' in globals())",
    )
    waits = SAID.format("softmax")
    assert said[:5] == ["", waits, waits, SAID.format("LayerNorm"), "done\n"]
    assert said[5:] == [waits, waits, "0\n", "", "1 [1.0] False\n"]


def test_what_is_no_stub_raises_as_ever(kernel: KernelManager) -> None:
    cells = [
        "raise NotImplementedError",
        "def softmax(x, dim):\n    x = x + 1\n    raise NotImplementedError\nsoftmax(1, 0)",
        "def other(x):\n    raise NotImplementedError\nother(1)",
        "print(nowhere)",
        "weights = {}['a']",
        f"{STUB}\nweights = softmax([1], 0)",  # waits
        "def softmax(x, dim):\n    return x[weights]\nsoftmax([1], 0)",
        "print(weights)",  # there is a softmax now
    ]
    notebook = new_notebook(
        cells=[new_code_cell(each) for each in ("%reset -f\nimport grader", *cells)]
    )
    NotebookClient(notebook, km=kernel, allow_errors=True).execute()
    kinds = [[each.output_type for each in cell.outputs] for cell in notebook.cells]
    assert kinds == [[], *[["error"]] * 5, ["stream"], ["error"], ["error"]]
    with pytest.raises(CellExecutionError):  # as nbval sees it
        run(kernel, "import grader", cells[0])
