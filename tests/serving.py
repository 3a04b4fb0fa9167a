"""A checker that answers, in a process of its own, and what its learners have; holds no test."""

from __future__ import annotations

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.service.ledger import Ledger
from tests.bundles import bundle, run

CHECKS_A_MINUTE = 20
# What a learner does in a kernel: cell after cell, in IPython's own shell.
IN_CELLS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in json.loads({cells!r}):
    shell.run_cell(cell, store_history=True)
"""


@dataclass
class Serving:
    """A checker that answers, and what its learners have."""

    process: subprocess.Popen[str]
    folder: Path
    port: int
    tokens: dict[str, str]
    bundle: Path

    def ask(
        self, path: str, body: Any = None, token: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and answer; a connection that is closed while it still sends has no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=200)
        more = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, {**more, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (BrokenPipeError, ConnectionResetError):
            return 413, {}
        finally:
            connection.close()


@contextmanager
def served(folder: Path) -> Iterator[Serving]:
    """One with three learners and a bundle of theirs, killed in the end."""
    (folder / "roster.csv").write_text("learner\nada\ngrace\nmallory\n", encoding="utf-8")
    with Ledger(folder / "kept") as store:
        assert store.fact("seed", "7") == "7"
    command = [sys.executable, "-m", "grader", "serve", str(folder / "kept"), "--port", "0"]
    command += ["--roster", str(folder / "roster.csv"), "--checks-a-minute", str(CHECKS_A_MINUTE)]
    command += ["--chapters", "00-02,04-13"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = ""
    while "Answering on" not in printed:
        line = process.stdout.readline()
        assert line, printed
        printed += line
    tokens = dict(re.findall(r"^(\w+): (\S+)$", printed, re.MULTILINE))
    (port,) = re.findall(r"http://127\.0\.0\.1:(\d+)", printed)
    course = bundle(folder / "course", checker=f"http://127.0.0.1:{port}")
    yield Serving(process, folder / "kept", int(port), tokens, course)
    process.kill()
    process.wait()
    process.stdout.close()


def in_cells(serving: Serving, learner: str, *cells: str) -> str:
    """What a learner sees who runs these cells with their bundle."""
    code = IN_CELLS.format(cells=json.dumps(cells))
    return run(serving.bundle, code, GRADER_TOKEN=serving.tokens[learner])
