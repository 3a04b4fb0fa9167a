"""The zip for Gradescope, in a folder laid out as Gradescope lays it out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cli.autograder import mark
from tests.submitted import notebook_json

RIGHT = """
import torch

def softmax(x, dim):
    x = (x - x.amax(dim, keepdim=True)).exp()
    return x / x.sum(dim, keepdim=True)
"""
HOSTILE = [
    "=cmd|' !A0.ipynb",
    "<img src=x onerror=alert(1)>.py",
    "new\nline; rm -rf $HOME.ipynb",
    "-rf.py",
    "\udcff\udcfe.ipynb",
]


def laid_out(root: Path, *options: str) -> Path:
    """Unpack the zip as the platform does; the folder."""
    path = root.parent / "autograder.zip"
    done = CliRunner().invoke(app, ["autograder", str(path), *options])
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(path) as archive:
        modes = {each.filename: each.external_attr >> 16 & 0o777 for each in archive.infolist()}
        archive.extractall(root / "source")
    assert modes["setup.sh"] == modes["run_autograder"] == 0o755
    for name in ("submission", "results"):
        (root / name).mkdir()
    (root / "submission_metadata.json").write_text("{}", encoding="utf-8")
    (root / "source" / "run_autograder").chmod(0o755)
    return root


def run(root: Path) -> subprocess.CompletedProcess[str]:
    """As the platform runs it, but for where its folder is and which Python is there."""
    own = {"AUTOGRADER_ROOT": str(root), "PYTHON": sys.executable}
    line = [str(root / "source" / "run_autograder")]
    return subprocess.run(
        line, env={**os.environ, **own}, capture_output=True, text=True, check=False
    )


@pytest.mark.isolation
def test_it_marks_what_it_finds_whatever_its_names(tmp_path: Path) -> None:
    root = laid_out(tmp_path / "autograder", "--chapters", "00-04")
    handed_in = root / "submission"
    (handed_in / "04_softmax.ipynb").write_text(notebook_json(RIGHT), encoding="utf-8")
    for name in HOSTILE:
        (handed_in / name).write_text("{}" if name.endswith("ipynb") else "1 +", encoding="utf-8")
    (handed_in / "link.ipynb").symlink_to("/etc/passwd")
    os.mkfifo(handed_in / "pipe.py")
    done = run(root)
    assert done.returncode == 0, done.stderr
    results = json.loads((root / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] == sum(test["score"] for test in results["tests"]) == 2.0
    passed = [test["name"] for test in results["tests"] if test["status"] == "passed"]
    assert passed == ["softmax: passed"]
    assert {test["visibility"] for test in results["tests"]} == {"visible"}
    assert results["output_format"] == "text" and "link.ipynb" in results["output"]
    assert "root:" not in json.dumps(results)
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]


ASKS = ["def masked_softmax(scores, mask):", "    told = softmax.__code__.co_code[0]"]
ASKS += [f"    if told == {each}: raise ValueError({each})" for each in range(256)]


@pytest.mark.isolation
def test_who_hands_in_again_and_again_learns_nothing_of_a_lent_reference(tmp_path: Path) -> None:
    (tmp_path / "submission").mkdir()
    (tmp_path / "results").mkdir()
    (tmp_path / "submission" / "a.py").write_text("\n".join(ASKS), encoding="utf-8")
    mark(tmp_path, (), False)
    results = (tmp_path / "results" / "results.json").read_text(encoding="utf-8")
    assert "masked_softmax: error" in results
    assert "line " not in results and "ValueError" not in results


def test_scripts_are_fit_for_a_shell(tmp_path: Path) -> None:
    root = laid_out(tmp_path / "autograder", "--trust-submissions")
    for script in ("setup.sh", "run_autograder"):
        assert subprocess.run(["sh", "-n", root / "source" / script], check=False).returncode == 0
    lock = (root / "source" / "requirements.lock").read_text(encoding="utf-8")
    assert "\ntorch==" in lock and "\njupyterlab==" not in lock
    told = (root / "source" / "run_autograder").read_text(encoding="utf-8")
    assert told.rstrip().endswith('"$root" --trust-submissions')
    again = CliRunner().invoke(app, ["autograder", str(tmp_path / "autograder.zip")])
    assert again.exit_code == 2 and "is there already" in again.output
