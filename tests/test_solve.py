"""Solved notebooks: every stub is answered by the reference, and nothing else is changed."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli.solve import reference_text, solve_notebooks, solved_notebook, solved_source
from grader.curriculum.complaint import Complaint
from grader.curriculum.course import course
from grader.curriculum.syllabus import syllabus
from grader.submission import load_submission

NOTEBOOKS = course().notebooks


def notebook(*sources: str) -> dict[str, Any]:
    cells = [{"cell_type": "code", "source": source.splitlines(True)} for source in sources]
    return {"cells": cells, "nbformat": 4}


def run(solved: dict[str, Any]) -> dict[str, Any]:
    """The names that its cells leave behind."""
    names: dict[str, Any] = {}
    for cell in solved["cells"]:
        exec("".join(cell["source"]), names)
    return names


def stub(name: str) -> str:
    """The reference without its answer."""
    node = ast.parse(reference_text(name)).body[0]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    if isinstance(node, ast.ClassDef):
        return f"class {name}:\n    def __init__(self):\n        raise NotImplementedError\n"
    node.body = [ast.Raise(ast.Name("NotImplementedError"))]
    node.returns, node.args = None, ast.arguments([], [], None, [], [], None, [])
    return ast.unparse(node)


@pytest.mark.parametrize("name", syllabus().names)
def test_each_exercise_is_solved_on_its_own(name: str, tmp_path: Path) -> None:
    """With all that it needs and nothing from any other cell; other exercises it asks for."""
    source = solved_source(f"x = 1\n{stub(name)}\ny = 2", set())
    (tmp_path / "work.py").write_text(source, encoding="utf-8")
    submission = load_submission(tmp_path / "work.py", syllabus().names)
    found = submission.slice(name)
    assert found is not None and not found.is_stub and not found.broken
    assert reference_text(name) in source
    assert "solutions" not in source
    assert source.startswith("x = 1\n") and source.endswith("\ny = 2")
    needs = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.alias)}
    assert needs & set(syllabus().names) <= set(syllabus().needs(name))


def test_a_solved_notebook_runs() -> None:
    solved = solved_notebook(
        notebook(
            "import torch\nfrom torch import Tensor\n",
            "def softmax(x, dim):\n    raise NotImplementedError\n\nprint(softmax)",
            "softmax(torch.tensor([0.0, 0.0]), 0)",
        )
    )
    names = run(solved)
    assert names["softmax"](names["torch"].tensor([0.0, 0.0]), 0).tolist() == [0.5, 0.5]


def test_what_the_notebook_gives_is_not_given_twice() -> None:
    stub = "def softmax(x, dim):\n    raise NotImplementedError"
    assert solved_source(stub, {"Tensor"}) == reference_text("softmax")
    assert solved_source(stub, set()).startswith("from torch import Tensor\n\n\ndef softmax(")


def test_what_is_solved_already_and_magics_stay() -> None:
    for source in ("%matplotlib inline\nx = 1", "def softmax(x, dim):\n    return x\n", "", "1 +"):
        assert solved_source(source, set()) == source


@pytest.mark.skipif(not list(NOTEBOOKS.glob("*.ipynb")), reason="no notebooks beside the grader")
def test_every_notebook_of_the_course(tmp_path: Path) -> None:
    written = solve_notebooks(tmp_path / "out")
    assert [path.name for path in written] == sorted(p.name for p in NOTEBOOKS.glob("*.ipynb"))
    assert (tmp_path / "out" / "kit" / "earlier.py").is_file()
    for path in written:
        before = json.loads((NOTEBOOKS / path.name).read_text(encoding="utf-8"))
        after = json.loads(path.read_text(encoding="utf-8"))
        assert [c.get("outputs") for c in after["cells"]] == [
            c.get("outputs") for c in before["cells"]
        ]
        solved = load_submission(path, syllabus().names)
        for name in syllabus().names:
            found = solved.slice(name)
            assert found is None or not found.is_stub, f"{path.name}: {name}"


def test_learners_notebooks_are_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook("x = 1")))
    with pytest.raises(Complaint, match="choose another folder"):
        solve_notebooks(tmp_path, tmp_path)
    with pytest.raises(Complaint, match="holds no notebooks"):
        solve_notebooks(tmp_path / "out", tmp_path / "nowhere")


def test_what_somebody_wrote_is_never_written_over(tmp_path: Path) -> None:
    written = solve_notebooks(tmp_path)
    assert solve_notebooks(tmp_path) == written  # the same again
    own = written[4].read_text(encoding="utf-8").replace("def softmax(", "def my_softmax(")
    written[4].write_text(own, encoding="utf-8")
    with pytest.raises(Complaint, match="holds something else"):
        solve_notebooks(tmp_path)
    assert written[4].read_text(encoding="utf-8") == own
