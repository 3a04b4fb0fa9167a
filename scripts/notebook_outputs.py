"""Stores in a learner's notebook the outputs of its solved self; the stubs stay stubs.

    .venv/bin/python scripts/notebook_outputs.py notebooks/04_softmax.ipynb ...

For authors: after editing a notebook's cells, run this, look at the outputs, commit both together.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.cli.solve import solve_notebooks

UNSTORED = "no-stored-output"  # the tag of cells whose output is the learner's own, or alive
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def store_outputs(path: Path) -> None:
    """Run the solved notebook among solved ones, so that nothing is lent; keep what it shows."""
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        solve_notebooks(Path(folder), path.parent)
        solved = nbformat.read(Path(folder) / path.name, as_version=4)
        NotebookClient(
            solved,
            timeout=300,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
        ).execute()
    for cell, run in zip(notebook.cells, solved.cells, strict=True):
        cell.metadata = kept_metadata(cell)
        if cell.cell_type == "code":
            tags = cell.metadata.get("tags", ())
            cell.outputs = (
                [] if UNSTORED in tags else _kept(run.outputs, "nbval-ignore-output" in tags)
            )
            # nbval asks for a number where there are outputs; that of a run from top to bottom.
            cell.execution_count = run.execution_count if cell.outputs else None
    notebook.metadata = nbformat.from_dict(METADATA)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def kept_metadata(cell: NotebookNode) -> NotebookNode:
    """Tags, and whether what the cell shows is folded away until a learner runs it."""
    tags = cell.metadata.get("tags", [])
    kept = NotebookNode({"tags": tags} if tags else {})
    if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
        kept["jupyter"] = {"outputs_hidden": True}
    return kept


def _kept(outputs: list[NotebookNode], is_free: bool) -> list[NotebookNode]:
    """The outputs, the same each time: what is printed is in one piece.

    Where nobody compares them and a picture says the same, the heavy HTML is left out.
    """
    kept: list[NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else NotebookNode(output_type="nothing")
        if output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
            continue
        if is_free and "image/png" in output.get("data", {}):
            output.data.pop("text/html", None)
        kept.append(output)
    return kept


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store_outputs(Path(name))
        print(f"{name}: stored")
