"""Assignments for the peers: the tests that an instructor would write for them, in their formats.

    make_otter_tests(folder)
    make_nbgrader_course(folder, submissions)

otter-grader gets a test file per exercise, nbgrader a notebook of solution and test cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import indent
from typing import Any

import nbformat

START = "import torch\nfrom torch import nn"
# A few asserts on random inputs; only attention with learned weights has no ready reference.
TESTS = {
    "softmax": """
import torch

torch.manual_seed(0)
for dim in (0, 1, -1):
    x = torch.randn(3, 4, 5)
    assert torch.allclose(softmax(x, dim), torch.softmax(x, dim), atol=1e-5)
large = torch.randn(3, 5) * 500
assert torch.allclose(softmax(large, -1), torch.softmax(large, -1), atol=1e-3)
""",
    "scaled_dot_product_attention": """
import torch
from torch.nn import functional

torch.manual_seed(0)
query, key, value = (torch.randn(2, 5, 8) for _ in range(3))
expected = functional.scaled_dot_product_attention(query, key, value)
assert torch.allclose(scaled_dot_product_attention(query, key, value), expected, atol=1e-5)
mask = torch.ones(5, 5, dtype=torch.bool).tril().expand(2, 5, 5)
expected = functional.scaled_dot_product_attention(query, key, value, mask)
assert torch.allclose(scaled_dot_product_attention(query, key, value, mask), expected, atol=1e-5)
""",
    "MultiHeadAttention": """
import torch
from types import SimpleNamespace

torch.manual_seed(0)
layer = MultiHeadAttention(SimpleNamespace(hidden_size=12, num_attention_heads=3)).eval()
size = sum(parameter.numel() for parameter in layer.parameters())
assert 4 * 12 * 12 <= size <= 4 * 12 * 12 + 4 * 12
x = torch.randn(2, 5, 12)
with torch.no_grad():
    assert layer(x).shape == (2, 5, 12)
    order = torch.randperm(5)
    assert torch.allclose(layer(x[:, order]), layer(x)[:, order], atol=1e-5)
    mask = torch.ones(2, 1, 5, dtype=torch.bool)
    mask[:, :, 3:] = False
    assert torch.allclose(layer(x, mask)[:, :3], layer(x[:, :3]), atol=1e-5)
""",
}
EXERCISES = tuple(TESTS)
OTTER_TEST = """
from otter.test_files import test_case

OK_FORMAT = False
name = "{name}"
points = 1


@test_case()
def test_it(env):
    {name} = env["{name}"]
{body}
"""


def make_otter_tests(folder: Path) -> None:
    """One test file per exercise."""
    folder.mkdir(parents=True)
    for name, body in TESTS.items():
        text = OTTER_TEST.format(name=name, body=indent(body, "    "))
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def make_nbgrader_course(folder: Path, submissions: Iterable[Path]) -> None:
    """The source notebook of assignment ps1, and what learners made of it."""
    stub = "raise NotImplementedError()"
    _write(folder / "source" / "ps1" / "ps1.ipynb", START, dict.fromkeys(EXERCISES, stub))
    for path in submissions:
        cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
        answers = {name: cells[f"cell-{name}"] for name in EXERCISES}
        _write(folder / "submitted" / path.stem / "ps1" / "ps1.ipynb", START, answers)


def _write(path: Path, start: str, answers: dict[str, str]) -> None:
    """A notebook whose answers are each followed by a graded cell of tests."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    notebook.cells.append(nbformat.v4.new_code_cell(start, id="start"))
    for name, source in answers.items():
        notebook.cells.append(_cell(name, source, solution=True, grade=False, locked=False))
        test = _cell(f"test_{name}", TESTS[name], solution=False, grade=True, locked=True)
        test.metadata.nbgrader["points"] = 1
        notebook.cells.append(test)
    path.parent.mkdir(parents=True)
    nbformat.write(notebook, path)


def _cell(name: str, source: str, **kind: bool) -> Any:
    cell = nbformat.v4.new_code_cell(source.strip("\n"), id=name)
    cell.metadata.nbgrader = nbformat.from_dict(
        {"grade_id": name, "schema_version": 3, "cell_type": "code", "task": False, **kind}
    )
    return cell
