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
        coalesce_streams=True,
    ).execute()
    for cell, run in zip(notebook.cells, solved.cells, strict=True):
        cell.metadata = _tags(cell)
        if cell.cell_type == "code":
            cell.execution_count = None
            stored = UNSTORED not in cell.metadata.get("tags", ())
            cell.outputs = [_plain(output) for output in run.outputs] if stored else []
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
        is_exercise = getattr(node, "name", None) in syllabus().names
        if is_exercise and is_stub(node):
            written[node.lineno - 1 : node.end_lineno] = reference_source(node.name).splitlines()
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


def _plain(output: NotebookNode) -> NotebookNode:
    """Without run numbers, so that storing twice changes nothing."""
    if output.output_type == "execute_result":
        output.execution_count = None
    return output


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store_outputs(Path(name))
        print(f"{name}: stored")
