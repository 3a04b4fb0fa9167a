"""The wall under attack: hostile code straight at the transports, beside an honest bystander."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.wall import cgroup, libraries, sandbox
from grader.wall.layers import Availability, available, layers
from grader.wall.limits import Limits
from grader.wall.transport import WorkerDied, WorkerTransport
from grader.wall.zygote import Zygote, ZygoteDied
from grader.worker.values import BadTree, Callback, Handle
from tests.wall_attacks import ATTACKS, PRELUDE, Attack

pytestmark = pytest.mark.isolation
X = torch.tensor([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]])
SOFTMAX = """
    def f(x):
        e = (x - x.amax(-1, keepdim=True)).exp()
        return e / e.sum(-1, keepdim=True)
    """


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote() as made:
        yield made


@pytest.fixture(scope="module")
def bystander(zygote: Zygote) -> Iterator[WorkerTransport]:
    """An honest learner's worker that lives through all attacks."""
    with zygote.worker() as worker:
        load(worker, SOFTMAX)
        yield worker


def load(worker: WorkerTransport, code: str, timeout: float | None = None) -> dict[str, Any]:
    unit = {"code": textwrap.dedent(code), "label": "cell", "line": 1}
    return worker.request("load", {"exercise": "f", "units": [unit], "harness": None}, timeout)


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
    waiting, count = [zygote._started.process.pid], 0
    while waiting:
        count += 1
        waiting += children.get(waiting.pop(), [])
    return count


# ---- attacks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_attack(zygote: Zygote, bystander: WorkerTransport, attack: Attack) -> None:
    cpu = 1 if attack.name == "CPU time" else 100
    limits = Limits(wall_seconds=attack.seconds, cpu_seconds=cpu, memory_mb=512, tmp_mb=16)
    body = textwrap.indent(attack.body, "    ")
    before = processes(zygote)
    worker = zygote.worker(limits)
    start = time.monotonic()
    load(worker, f"{PRELUDE}\ndef f(x):\n{body}\ndef harmless(x):\n    return x\n")
    end, value = ending(worker)
    assert end in attack.ends.split("|"), (end, value)
    if attack.value is not None:
        assert value == attack.value
    if attack.ends == "timeout" and cpu > 1:
        assert time.monotonic() - start < attack.seconds + 10
    if end not in ("timeout", "crashed", "protocol"):
        assert ending(worker, "harmless")[0] in attack.next_ends.split("|")
    worker.end()
    assert processes(zygote) == before
    assert_unharmed(bystander)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import sys; sys.exit(0)", "exited"),
        ("import os; K = os._exit(0)", "crashed"),
        ("while True: pass", "timeout"),
        ("import ctypes; ctypes.string_at(0)", "crashed"),
        ("K = [bytearray(2**28) for _ in range(100)]", "memory"),
        ("raise NotImplementedError", "not_implemented"),
        ("def f(:", "raised"),
        ("x = '\\ud800\\x00'", None),
        ("# \x0c\ufeff\u2028\nx = 1", None),
    ],
)
def test_attacks_at_import(
    zygote: Zygote, bystander: WorkerTransport, code: str, kind: str | None
) -> None:
    with zygote.worker() as worker:
        try:
            answer = load(worker, code, timeout=1.0 if kind == "timeout" else None)
            found = answer["error"]["kind"] if "error" in answer else None
        except WorkerDied as died:
            found = died.kind
    assert found == kind
    assert_unharmed(bystander)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("sys.exit(0)", "exited"),
        ("os._exit(0)", "crashed"),
        ("raise NotImplementedError", "not_implemented"),
    ],
)
def test_attacks_in_a_constructor(zygote: Zygote, body: str, kind: str) -> None:
    code = f"{PRELUDE}\nclass M(nn.Module):\n    def __init__(self):\n        {body}\n"
    with zygote.worker() as worker:
        load(worker, code)
        try:
            payload = {"name": "M", "args": (), "kwargs": {}, "seed": 0}
            found = worker.request("construct", payload)["error"]["kind"]
        except WorkerDied as died:
            found = died.kind
    assert found == kind


def test_workers_cannot_see_each_others_files_processes_or_names(zygote: Zygote) -> None:
    code = f"""{PRELUDE}
def leave(x):
    for path in ("/tmp/mark", "/dev/shm/mark"):
        open(path, "w").write("here")
    torch.manual_seed(77)
    sys.modules["mark"] = 3
    return [os.getpid(), os.listdir("/tmp"), os.listdir("/dev/shm")]
def look(x):
    return [os.getpid(), os.listdir("/tmp"), os.listdir("/dev/shm"), "mark" in sys.modules]
"""
    with zygote.worker() as one, zygote.worker() as other:
        load(one, code)
        load(other, code)
        assert call(one, X, name="leave")["ok"]["value"] == [1, ["mark"], ["mark"]]
        assert call(other, X, name="look")["ok"]["value"] == [1, [], [], False]


def test_every_worker_begins_in_the_same_state(zygote: Zygote) -> None:
    code = "import random, torch, numpy\ndef f(x):\n    return "
    code += "[random.random(), torch.rand(()).item(), numpy.random.rand(), hash('a')]"
    seen = []
    for _ in range(2):
        with zygote.worker() as worker:
            load(worker, code)
            seen.append(call(worker, X)["ok"]["value"])
    assert seen[0] == seen[1]


def test_a_dead_worker_stays_dead(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "import os\ndef f(x): os._exit(7)")
        for _ in range(2):
            with pytest.raises(WorkerDied) as died:
                call(worker, X)
            assert died.value.kind == "crashed" and "status 7" in died.value.detail
    worker.close()


def test_no_zombies_pile_up(zygote: Zygote, bystander: WorkerTransport) -> None:
    before = processes(zygote)
    for _ in range(20):
        with zygote.worker() as worker:
            load(worker, "import os\ndef f(x): os._exit(0)")
            with pytest.raises(WorkerDied):
                call(worker, X)
    zygote.worker().end()
    assert processes(zygote) == before


# ---- requests -----------------------------------------------------------------------------------


def test_gradients_modules_and_training_cross_the_wall(zygote: Zygote) -> None:
    code = """
        import torch
        class M(torch.nn.Linear):
            pass
        def f(model, optimizer, x):
            optimizer.zero_grad()
            loss = model(x).pow(2).mean()
            loss.backward()
            optimizer.step()
            return loss
        """
    with zygote.worker() as worker:
        load(worker, code)
        payload: dict[str, Any] = {"name": "M", "args": (3, 2), "kwargs": {}, "seed": 0}
        made = worker.request("construct", payload)["ok"]
        payload = {"handle": made["handle"], "values": {"weight": torch.ones(2, 3)}}
        assert worker.request("write", payload) == {"ok": {}}
        payload = {"handle": made["handle"], "kind": "SGD", "options": {"lr": 0.01}}
        optimizer = worker.request("optimizer", payload)["ok"]["handle"]
        arguments = (Handle(made["handle"]), Handle(optimizer), X)
        losses = [call(worker, *arguments)["ok"]["value"] for _ in range(3)]
        assert losses[2] < losses[1] < losses[0]
        target = {"target": {"handle": made["handle"], "method": None}, "args": (X,), "kwargs": {}}
        options = {"cotangent": torch.ones(2, 2), "trace": True}
        got = worker.request("call", {**target, "options": options})["ok"]
        assert got["grads"][0].shape == X.shape and "aten::addmm" in got["operators"]
        assert set(got["parameter_grads"]) == {"weight", "bias"}


def test_callbacks_cross_the_wall_and_only_those_given(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "def f(g, x):\n    return g(x, scale=2) + g(x)")
        double = Callback(1, lambda x, scale=1: x * scale)
        assert torch.equal(call(worker, double, X)["ok"]["value"], X * 3)

        def broken(x: torch.Tensor, scale: int = 1) -> torch.Tensor:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            call(worker, Callback(1, broken), X)


def test_callbacks_are_bounded_in_number_and_time(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "def f(g):\n    while True: g()")
        payload = {"target": {"name": "f"}, "args": (Callback(1, lambda: None),)}
        answer = worker.request("call", {**payload, "kwargs": {}, "options": {}}, 60.0)
        assert "more than 10,000 times" in answer["error"]["message"]
        slow = Callback(1, lambda: time.sleep(0.02))
        with pytest.raises(WorkerDied) as died:
            payload = {"target": {"name": "f"}, "args": (slow,)}
            worker.request("call", {**payload, "kwargs": {}, "options": {}}, 0.5)
        assert died.value.kind == "timeout"


def test_what_cannot_be_sent_harms_no_worker(bystander: WorkerTransport) -> None:
    with pytest.raises(BadTree):
        call(bystander, object())
    assert_unharmed(bystander)


def test_large_tensors_cross_the_wall(zygote: Zygote) -> None:
    big = torch.arange(8_000_000, dtype=torch.float32)
    with zygote.worker() as worker:
        load(worker, "def f(x): return x + 1")
        assert torch.equal(call(worker, big)["ok"]["value"], big + 1)
        load(worker, "import torch\ndef f(x): return torch.zeros(50_000_000)")
        assert "more than 128 MiB" in call(worker, X)["ok"]["value"].type_name


def test_a_worker_that_does_not_read_is_ended(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "import time\ndef f(g):\n    g()\n    time.sleep(1000)")
        given = Callback(1, lambda: torch.zeros(8_000_000))
        load(worker, f"{PRELUDE}\ndef f(g):\n    say(header(9, 0) + b'[')\n    time.sleep(1000)")
        with pytest.raises(WorkerDied) as died:
            payload = {"target": {"name": "f"}, "args": (given,), "kwargs": {}, "options": {}}
            worker.request("call", payload, 0.5)
        assert died.value.kind == "timeout"


# ---- zygotes ------------------------------------------------------------------------------------


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
    outer = zygote._started.process.pid
    return int(Path(f"/proc/{outer}/task/{outer}/children").read_text().split()[0])


def test_a_killed_zygote_is_noticed_and_can_be_replaced() -> None:
    for victim in ("inner", "outer"):
        with Zygote() as zygote, zygote.worker() as worker:
            load(worker, SOFTMAX)
            inner = inner_pid(zygote)
            os.kill(inner if victim == "inner" else zygote._started.process.pid, signal.SIGKILL)
            assert gone(inner) and zygote._started.stopped.wait(20)
            assert not zygote.alive
            with pytest.raises(ZygoteDied):
                call(worker, X)
            with pytest.raises(ZygoteDied, match="has ended"):
                zygote.worker()


def test_closing_ends_every_worker() -> None:
    zygote = Zygote()
    busy = zygote.worker(Limits(wall_seconds=60))
    load(
        busy, "import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f).start()"
    )
    inner = inner_pid(zygote)
    zygote.close()
    assert gone(inner)
    with pytest.raises(ZygoteDied):
        call(busy, X)


def test_all_ends_when_the_grader_is_killed() -> None:
    script = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from tests.test_wall import *
zygote = Zygote()
worker = zygote.worker()
print(inner_pid(zygote), flush=True)
load(worker, "while True: pass", 100)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        inner = int(grader.stdout.readline())
        grader.kill()
    assert gone(inner)


def test_a_failing_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_START", "raise SystemExit('no such luck')  # {path}")
    with pytest.raises(ZygoteDied, match="no such luck"):
        Zygote()


def test_without_isolation_the_same_requests_work() -> None:
    with Zygote(isolated=False) as zygote:
        with zygote.worker(Limits(wall_seconds=1.0)) as worker:
            load(worker, SOFTMAX)
            assert torch.allclose(call(worker, X)["ok"]["value"], torch.softmax(X, -1))
            load(worker, "import os\ndef f(x):\n    if os.fork() == 0:\n        while True: pass\n")
            call(worker, X)
            load(worker, "def f(x):\n    while True: pass")
            with pytest.raises(WorkerDied) as died:
                call(worker, X)
        assert died.value.kind == "timeout"
        with zygote.worker() as worker:
            load(worker, "import ctypes\ndef f(x): ctypes.string_at(0)")
            assert ending(worker)[0] == "crashed"


# ---- what this machine gives --------------------------------------------------------------------


def test_every_layer_is_there() -> None:
    missing = [layer for layer in layers() if not layer.present and layer.name != "control group"]
    assert missing == []


def test_an_ordinary_user_has_every_layer_too() -> None:
    """In a namespace of its own this process is user 1000 without any capability."""
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
assert os.geteuid() == 1000
from grader.wall.layers import layers
print([(layer.name, layer.detail) for layer in layers() if not layer.present])
"""
    line = ["bwrap", "--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]
    line += ["--dev-bind", "/", "/", "--die-with-parent", sys.executable, "-B", "-c", script]
    said = subprocess.run(line, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    # Behind that namespace we may still be root, to whom the kernel grants any number of threads.
    missing = [name for name, _ in eval(said.stdout)]
    assert set(missing) <= {"control group", "bounded threads"}


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    found = available()
    assert not found and "apt-get install bubblewrap" in found.why_not[0]
    assert layers() == found.layers
    assert bool(Availability((), ()))


def test_libraries_are_found_by_their_headers() -> None:
    elf = libraries.read(Path(sys.executable).resolve())
    assert elf is not None and elf.interpreter is not None and "libc.so.6" in elf.needed
    found = libraries.closure([Path(sys.executable).resolve()], [Path(sys.base_prefix) / "lib"])
    assert found["libc.so.6"].is_file()
    assert libraries.read(Path(__file__)) is None


def test_control_groups_are_optional_and_removed() -> None:
    made = cgroup.create(4096, 100)
    if made is not None:
        assert all(directory.is_dir() for directory in made.directories)
        made.remove()
        assert not any(directory.exists() for directory in made.directories)
