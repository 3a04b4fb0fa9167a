"""A waiting cell keeps in sight what the solved notebook shows, and shows nothing else."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook, new_output

from grader.notebook.goal import MARK, goal

STUB = "from grader import check\ndef softmax(x, dim):\n    raise NotImplementedError"
CELL = "print(softmax(1, 0))"
PRINTED = new_output("stream", name="stdout", text="0.09 <b> 0.91\n")
PIXEL = "iVBORw0KGgo="
PICTURE = new_output("display_data", data={"image/png": PIXEL, "text/plain": "<Image>"})


def run_all(path: Path) -> NotebookNode:
    """Open a notebook, run all and save it: the cell below the stub."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, kernel_name="python3", resources=resources).execute()
    nbformat.write(notebook, path)
    return notebook.cells[1]


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    cells = [new_code_cell(STUB), new_code_cell(CELL, outputs=[PRINTED, PICTURE])]
    nbformat.write(new_notebook(cells=cells), tmp_path / "04_softmax.ipynb")
    return tmp_path / "04_softmax.ipynb"


def test_what_you_should_see_stands_below_a_waiting_cell(notebook: Path) -> None:
    first = run_all(notebook)
    said, shown = first.outputs
    assert said.text.startswith("⋯ This cell waits for softmax")
    html = shown.data["text/html"]
    assert "What you should see when softmax is written" in html
    assert "0.09 &lt;b&gt; 0.91" in html and f"base64,{PIXEL}" in html
    assert "0.09 <b> 0.91" in shown.data["text/plain"]
    again = run_all(notebook)
    assert [each.get("data") for each in again.outputs] == [None, shown.data]


def test_it_goes_when_the_cell_shows_something_of_its_own(notebook: Path) -> None:
    run_all(notebook)
    written = nbformat.read(notebook, as_version=4)
    written.cells[0].source = STUB.replace("raise NotImplementedError", "return x + dim")
    nbformat.write(written, notebook)
    assert [each.text for each in run_all(notebook).outputs] == ["1\n"]


def test_what_is_to_be_guessed_stays_folded(notebook: Path) -> None:
    written = nbformat.read(notebook, as_version=4)
    written.cells[1].metadata["jupyter"] = {"outputs_hidden": True}
    nbformat.write(written, notebook)
    assert "<details><summary>" in run_all(notebook).outputs[1].data["text/html"]


def displayed(**data: object) -> dict[str, object]:
    return {"output_type": "display_data", "metadata": {}, "data": data}


@pytest.mark.parametrize(
    "outputs",
    [
        [],
        [new_output("error", ename="E", evalue="e", traceback=[])],
        [new_output("stream", text="⋯ This cell waits for softmax, which …")],
        [PRINTED, displayed(anything={})],
        [{"output_type": "stream", "metadata": {MARK: True}}],
    ],
)
def test_what_is_no_goal_is_not_shown_as_one(outputs: list[dict[str, object]]) -> None:
    assert goal("softmax", {"outputs": outputs}) is None


def test_a_cell_that_stands_in_no_saved_notebook_waits_without_a_goal(notebook: Path) -> None:
    opened = nbformat.read(notebook, as_version=4)
    opened.cells[1].source += "  # edited"
    opened.cells[1].id = "another"
    resources = {"metadata": {"path": str(notebook.parent)}}
    NotebookClient(opened, kernel_name="python3", resources=resources).execute()
    assert [each.output_type for each in opened.cells[1].outputs] == ["stream"]
