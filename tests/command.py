"""Runs the `grader` command for tests: as a shell would, in this process, and marking in it too."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from grader.cli import app, main
from grader.cohort import Way
from grader.wall.isolation_layers import available

SAMPLE = Path(__file__).parent / "sample_class"
ISOLATED = pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")
RIGHT = "def sentence_vector(hidden_state):\n    return hidden_state.mean(dim=1)\n"


def in_a_shell(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a shell would."""
    line = [sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, **more)


def grader(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which has loaded PyTorch already."""
    line = ["grader", *map(str, arguments)]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code: Any = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr(sys, "argv", line)
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    said = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(line, code, *said)


def warm(way: Way, *arguments: object) -> Result:
    """Run the command in this process, and mark in it too."""
    done = CliRunner().invoke(app, [*map(str, arguments)], obj=way)
    assert done.exit_code == 0, done.stderr
    return done
