"""What the tests of the wall share: a zygote, a bystander, and short names for requests."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path
from typing import Any

import torch

from grader.wall.transport import WorkerDied, WorkerTransport
from grader.wall.zygote_client import Zygote

X = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]])
SOFTMAX = """
    def f(x):
        e = (x - x.amax(-1, keepdim=True)).exp()
        return e / e.sum(-1, keepdim=True)
    """


def load(worker: WorkerTransport, code: str, timeout: float | None = None) -> dict[str, Any]:
    unit = {"code": textwrap.dedent(code), "label": "cell", "line": 1}
    return worker.request("load", {"exercise": "f", "units": [unit], "harness": ""}, timeout)


def call(worker: WorkerTransport, *args: Any, name: str = "f", **options: Any) -> dict[str, Any]:
    payload = {"target": {"name": name}, "args": args, "kwargs": {}, "options": options}
    return worker.request("call", payload)


def assert_unharmed(bystander: WorkerTransport) -> None:
    got = call(bystander, X, cotangent=torch.ones(2, 3))["ok"]
    assert torch.allclose(got["value"], torch.softmax(X, -1))


def ending(worker: WorkerTransport, name: str = "f") -> tuple[str, Any]:
    """How a call ends, in one word, and the value if there is one."""
    try:
        answer = call(worker, X, name=name)
    except WorkerDied as died:
        return died.kind, None
    if "error" in answer:
        return str(answer["error"]["kind"]), None
    return "value", answer["ok"]["value"]


def processes(zygote: Zygote) -> int:
    """How many processes there are beneath a zygote's, itself and bubblewrap included."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(entry.parent.name))
    waiting, count = [zygote._source.process.pid], 0
    while waiting:
        count += 1
        waiting += children.get(waiting.pop(), [])
    return count


def gone(pid: int, seconds: float = 20.0) -> bool:
    """Whether a process ends within that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
    return False


def inner_pid(zygote: Zygote) -> int:
    """The zygote proper, bubblewrap's child."""
    outer = zygote._source.process.pid
    return int(Path(f"/proc/{outer}/task/{outer}/children").read_text().split()[0])
