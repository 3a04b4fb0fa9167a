"""Another course is marked as this one is: docs/own-course.md writes it, to the letter."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from typer.testing import CliRunner

from grader.cli import app

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)
RIGHT = """
import torch
from torch import nn

def convolve(image, kernel):
    rows, columns = kernel.shape
    out = torch.zeros(image.shape[0] - rows + 1, image.shape[1] - columns + 1)
    for i in range(rows):
        for j in range(columns):
            out = out + kernel[i, j] * image[i : i + out.shape[0], j : j + out.shape[1]]
    return out

def nearest_label(points, examples, labels):
    return torch.stack([labels[(p - examples).norm(dim=1).argmin()] for p in points])

class RecurrentCell(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.weight_x = nn.Parameter(torch.rand(hidden, features))
        self.weight_h = nn.Parameter(torch.rand(hidden, hidden))
        self.bias = nn.Parameter(torch.rand(hidden))

    def forward(self, x, h):
        both = torch.cat([self.weight_x, self.weight_h], 1)
        return (torch.cat([x, h], 1) @ both.T + self.bias).tanh()
"""
CLASS = {
    "ada": RIGHT,
    "ben": RIGHT.replace("kernel[i, j]", "kernel[-1 - i, -1 - j]"),
    "cem": RIGHT.replace("argmin", "argmax").replace(".tanh()", ".sigmoid()"),
    "dan": "import torch\n\n"
    "def convolve(i, k):\n    return torch.conv2d(i[None, None], k[None, None])[0, 0]\n",
}
MARKS = {
    "ada": ["passed", "passed", "passed"],
    "ben": ["failed", "passed", "passed"],
    "cem": ["passed", "failed", "failed"],
    "dan": ["failed", "missing", "missing"],
}
KNOWN = {("ben", "convolve"): "flipped", ("cem", "nearest_label"): "farthest"}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    for name, text in BLOCK.findall((ROOT / "docs" / "own-course.md").read_text("utf-8")):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        assert not path.exists()
        path.write_text(text, "utf-8")
    return folder / "building_blocks"


@pytest.mark.isolation
def test_a_class_is_graded_and_reported(course: Path, tmp_path: Path) -> None:
    handed_in, out = tmp_path / "class", tmp_path / "marks"
    handed_in.mkdir()
    for learner, code in CLASS.items():
        (handed_in / f"{learner}.py").write_text(code, "utf-8")

    def grader(*arguments: str, status: int = 0) -> str:
        command = [sys.executable, "-m", "grader", "--course", str(course), *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    grader("grade", str(handed_in), "--out", str(out))
    found = json.loads(grader("export", "json", str(out)))
    marks = {
        each["learner"]: {mark["name"]: mark for mark in each["exercises"]}
        for each in found["submissions"]
    }
    zipped = grader("autograder", str(tmp_path / "a.zip"), status=2)
    assert "the course that comes with the grader" in zipped
    for line in (["export", "csv", str(out)], ["grade", str(handed_in), "--out", str(out)]):
        forgotten = CliRunner().invoke(app, line)  # the grader's own course, in this process
        assert forgotten.exit_code == 2 and "grader --course FOLDER" in forgotten.output
    names = ("convolve", "nearest_label", "RecurrentCell")
    assert {who: [own[name]["verdict"] for name in names] for who, own in marks.items()} == MARKS
    told = {(w, n): m["diagnosis"] for w, own in marks.items() for n, m in own.items()}
    assert {key: each[0]["id"] for key, each in told.items() if each} == KNOWN
    pages = {path.stem: path.read_text("utf-8") for path in out.rglob("*.html")}
    assert "turned around by half a turn" in " ".join(pages.values())
    rows, row = course / "syllabus.toml", 'name = "RecurrentCell"\n'
    rows.write_text(rows.read_text("utf-8").replace(row, f"{row}judges = true\n"), "utf-8")
    grader("due", str(out), "--remove")  # which marks nothing anew, and writes the pages
    anew = {
        path.stem for path in out.rglob("*.html") if path.read_text("utf-8") != pages[path.stem]
    }
    assert {name.partition("-")[0] for name in anew} == {"RecurrentCell", "cem"}
    rows.write_text(rows.read_text("utf-8").replace("judges = true\n", ""), "utf-8")
    data = next((course / "misconceptions").glob("*.toml"))
    fault = '\n[convolve.odd]\nbehaviour = "b"\nquestion = "q"\ninstead = { "nowhere()" = "1" }\n'
    right = data.read_text("utf-8")
    data.write_text(right + fault, "utf-8")
    said = grader("grade", str(handed_in), "--out", str(out), status=2)
    data.write_text(right, "utf-8")
    assert f"{data.name}: convolve.odd: instead: " in said


def test_it_is_checked_in_a_kernel(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_COURSE", str(course))
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    cells = [
        "from grader import check, hint, progress",
        CLASS["ben"],
        *(f"print({call})" for call in ("check(convolve)", "check(RecurrentCell)")),
        *(f"print({call})" for call in ("hint('convolve')", "progress()")),
    ]
    book = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(
        book, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    wrong, right, hint, progress = (cell.outputs[0]["text"] for cell in book.cells[2:])
    assert "turned around by half a turn" in wrong
    assert "RecurrentCell: passed" in right
    assert "3 by 3" in hint
    assert "blocks" in progress.lower()
