"""Stores in a learner's notebook the outputs of its solved self; the stubs stay stubs.

    .venv/bin/python scripts/notebook_outputs.py notebooks/04_softmax.ipynb ...

For authors: after editing a notebook's cells, run this, look at the outputs, commit both together.
"""

import ast
import copy
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from grader.submission import is_stub
from grader.syllabus import syllabus

UNSTORED = "no-stored-output"  # the tag of cells whose output is the learner's own, or alive
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SOLUTIONS = Path(__file__).resolve().parent.parent / "solutions"


def store_outputs(path: Path) -> None:
    """Run the solved notebook in the notebook's folder and keep what it shows."""
    notebook = nbformat.read(path, as_version=4)
    solved = solved_notebook(notebook)
    NotebookClient(
        solved,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    for cell, run in zip(notebook.cells, solved.cells, strict=True):
        cell.metadata = _tags(cell)
        if cell.cell_type == "code":
            cell.execution_count = None
            tags = cell.metadata.get("tags", ())
            cell.outputs = (
                [] if UNSTORED in tags else _kept(run.outputs, "nbval-ignore-output" in tags)
            )
    notebook.metadata = nbformat.from_dict(METADATA)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def solved_notebook(notebook: NotebookNode) -> NotebookNode:
    """A copy in which the reference stands in place of every stub."""
    solved = copy.deepcopy(notebook)
    for cell in solved.cells:
        if cell.cell_type == "code":
            cell.source = solved_source(cell.source)
    return solved


def solved_source(source: str) -> str:
    """The cell with the reference in place of every stub; cells of magics stay as they are."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    written = source.splitlines()
    for node in reversed(tree.body):
        name = getattr(node, "name", "")
        if name in syllabus().names and is_stub(node):
            written[node.lineno - 1 : node.end_lineno] = reference_source(name).splitlines()
    return "\n".join(written)


def reference_source(exercise: str) -> str:
    """The text of one exercise in `solutions`."""
    module = syllabus()[exercise].chapter.partition("_")[2]
    text = (SOLUTIONS / f"{module}.py").read_text(encoding="utf-8")
    [found] = [n for n in ast.parse(text).body if getattr(n, "name", None) == exercise]
    return ast.get_source_segment(text, found) or ""


def _tags(cell: NotebookNode) -> NotebookNode:
    tags = cell.metadata.get("tags", [])
    return NotebookNode({"tags": tags} if tags else {})


def _kept(outputs: list[NotebookNode], is_free: bool) -> list[NotebookNode]:
    """The outputs, the same each time: without run numbers, and what is printed in one piece.

    Where nobody compares them and a picture says the same, the heavy HTML is left out.
    """
    kept: list[NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else NotebookNode(output_type="nothing")
        if output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
            continue
        if output.output_type == "execute_result":
            output.execution_count = None
        if is_free and "image/png" in output.get("data", {}):
            output.data.pop("text/html", None)
        kept.append(output)
    return kept


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store_outputs(Path(name))
        print(f"{name}: stored")
