"""A Python that has loaded PyTorch, and forks for each run: PyTorch is loaded once, ours anew."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

COMMAND = "from grader.cli import main; main()"
_SERVES = """
import gc, json, os, sys
import torch, pytest

gc.freeze()
for line in sys.stdin:
    code, arguments, env = json.loads(line)
    if not (child := os.fork()):
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(os.path.join(sys.argv[1], name), os.O_RDWR | os.O_TRUNC), stream)
        os.environ.update(env)
        sys.argv = ["grader", *arguments]
        exec(code, {"__name__": "__main__"})
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Forks:
    """Runs Python code, each time in a fork that knows nothing of the grader yet."""

    process: subprocess.Popen[str]
    folder: Path

    def run(self, code: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        """What a fresh Python says to `code`."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([code, arguments, env]) + "\n")
        self.process.stdin.flush()
        status = int(self.process.stdout.readline())
        said = ((self.folder / name).read_text("utf-8") for name in ("out", "err"))
        return subprocess.CompletedProcess([code, *arguments], status, *said)


@contextmanager
def forks(cwd: Path) -> Iterator[Forks]:
    """What forks in this folder, whose `grader` is the one that is imported."""
    with TemporaryDirectory() as name:
        for each in ("out", "err"):
            (Path(name) / each).touch()
        line = [sys.executable, "-c", _SERVES, name]
        pipe = subprocess.PIPE
        with subprocess.Popen(line, cwd=cwd, stdin=pipe, stdout=pipe, text=True) as process:
            yield Forks(process, Path(name))
