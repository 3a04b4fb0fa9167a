"""Zygotes live, die and are replaced; every layer of isolation is tried from within."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch

from grader.wall import cgroup, sandbox
from grader.wall.isolation_layers import Availability, available, layers
from grader.wall.limits import Limits
from grader.wall.transport import WorkerDied
from grader.wall.zygote_client import Zygote, ZygoteDied
from grader.worker.values import Callback
from tests.wall_workers import SOFTMAX, X, call, ending, gone, inner_pid, load

pytestmark = pytest.mark.isolation


def test_a_killed_zygote_is_noticed_and_can_be_replaced() -> None:
    for victim in ("inner", "outer"):
        with Zygote() as zygote, zygote.worker() as worker:
            load(worker, SOFTMAX)
            inner = inner_pid(zygote)
            os.kill(inner if victim == "inner" else zygote._source.process.pid, signal.SIGKILL)
            assert gone(inner) and zygote._source.stopped.wait(20)
            with pytest.raises(ZygoteDied):
                call(worker, X)
            with pytest.raises(ZygoteDied, match="has ended"):
                zygote.worker()


def test_a_worker_that_the_system_ends_is_said_to_lack_memory(zygote: Zygote) -> None:
    inner = inner_pid(zygote)
    children = Path(f"/proc/{inner}/task/{inner}/children")
    before = {*children.read_text().split()}
    with zygote.worker() as worker:
        load(worker, SOFTMAX)
        (pid,) = map(int, {*children.read_text().split()} - before)
        ended = os.pidfd_open(pid)
        os.kill(pid, signal.SIGKILL)
        assert select.select([ended], [], [], 20)[0]
        os.close(ended)
        with pytest.raises(WorkerDied, match="memory ran out") as died:
            call(worker, X)
        assert died.value.kind == "memory"


LOOKS_BACK = """
import sys
def f(x):
    frame, found = sys._getframe(), []
    while frame is not None:
        its = frame.f_locals
        kept = vars(its["self"]).values() if "self" in its else ()
        found += [len(each) for each in kept if isinstance(each, (dict, set))]
        found += [its["number"]] if "number" in its else []
        frame = frame.f_back
    return found
"""


def test_what_frames_of_the_zygote_hold_does_not_count_workers(zygote: Zygote) -> None:
    with zygote.worker() as one, zygote.worker() as other, zygote.worker() as third:
        found = []
        for worker in (one, other, third):
            load(worker, LOOKS_BACK)
            found.append(call(worker, X)["ok"]["value"])
    for of_one in zip(*found, strict=True):
        assert len({*of_one}) == 1 or (len({*of_one}) == 3 and min(of_one) > 1_000_000)
    assert len(found[0]) > 2


BUSY = """
import os, time
os.sched_setaffinity(0, [0])
def f(x):
    start = time.process_time()
    while time.process_time() - start < 0.35:
        pass
    return x
"""


@contextmanager
def five_others() -> Iterator[None]:
    """Want the first processor for themselves."""
    spin = [sys.executable, "-c", "import os; os.sched_setaffinity(0, [0])\nwhile 1: pass"]
    others = [subprocess.Popen(spin) for _ in range(5)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_call_is_not_late_because_others_have_the_processor(zygote: Zygote) -> None:
    """It takes two seconds, of which it computes 0.35."""
    with zygote.worker(Limits(wall_seconds=0.9)) as worker:
        load(worker, BUSY)
        with five_others():
            assert torch.equal(call(worker, X)["ok"]["value"], X)


def test_nor_because_they_have_that_of_whom_it_asks(zygote: Zygote) -> None:
    """The same, where what it calls is ours and computes so long."""

    def ours(x: torch.Tensor) -> torch.Tensor:
        start = time.thread_time()
        while time.thread_time() - start < 0.35:
            pass
        return x

    allowed = os.sched_getaffinity(0)
    with zygote.worker(Limits(wall_seconds=0.9)) as worker:
        load(worker, "def f(function, x):\n    return function(x)")
        os.sched_setaffinity(0, [0])
        try:
            with five_others():
                assert torch.equal(call(worker, Callback(1, ours), X)["ok"]["value"], X)
        finally:
            os.sched_setaffinity(0, allowed)


IN_ITS_OWN_WAY = """
import os, threading, time, torch
os.sched_setaffinity(0, [0])
many = torch.ones(1000, 1000)
def work():
    while True:
        many @ many
def f(x):
    for _ in range(8):
        threading.Thread(target=work, daemon=True).start()
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    start = time.process_time()
    while time.process_time() - start < 4:
        pass
    return x
"""


def test_code_that_keeps_itself_from_the_processor_waits_for_nobody(zygote: Zygote) -> None:
    with zygote.worker(Limits(wall_seconds=1.5)) as worker:
        load(worker, IN_ITS_OWN_WAY)
        assert ending(worker)[0] == "timeout"


ENDLESS = "import threading\ndef f():\n    while True: pass"


def test_a_clone_serves_by_itself_and_ends_with_its_origin_as_every_worker_does() -> None:
    with Zygote() as origin:
        first, second = Zygote(source=origin.clone()), Zygote(source=origin.clone())
        for each in (first, second, origin):
            with each.worker() as worker:
                load(worker, SOFTMAX)
                assert torch.allclose(call(worker, X)["ok"]["value"], torch.softmax(X, -1))
        first.close()
        with pytest.raises(ZygoteDied, match="closed"):
            first.worker()
        busy = origin.worker(Limits(wall_seconds=60))
        load(busy, f"{ENDLESS}\nthreading.Thread(target=f).start()")
        inner = inner_pid(origin)
        with second.worker() as worker:
            load(worker, SOFTMAX)
            origin.close()
            assert gone(inner)
            for each in (busy, worker):
                with pytest.raises(ZygoteDied):
                    call(each, X)
        with pytest.raises(ZygoteDied):
            second.worker()
        with pytest.raises(ZygoteDied):
            origin.clone()
        second.close()


def test_all_ends_when_the_grader_is_killed() -> None:
    """With and without isolation: a zygote of each kind, whose worker is at work."""
    script = f"""
import sys, threading
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from tests.wall_workers import *
enclosed, plain = Zygote(), Zygote(isolated=False)
workers = enclosed.worker(), plain.worker()
load(workers[1], "import os, torch\\ndef f(x):\\n    return torch.tensor(os.getpid())")
print(inner_pid(enclosed), int(call(workers[1], torch.ones(1))["ok"]["value"]), flush=True)
for each in workers:
    threading.Thread(target=load, args=(each, "while True: pass", 100)).start()
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        inner, worker = map(int, grader.stdout.readline().split())
        grader.kill()
    assert gone(inner) and gone(worker)


def test_a_failing_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_START", "raise SystemExit('no such luck')  # {path}")
    with pytest.raises(ZygoteDied, match="no such luck"):
        Zygote()


def test_a_machine_that_forbids_enclosing_is_no_learners_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sandbox, "_CAPABILITIES", ("CAP_KILL",))
    with pytest.raises(ZygoteDied, match="unshare"):
        Zygote()


def test_training_in_a_worker_loads_no_compiler(zygote: Zygote) -> None:
    code = """
        import sys
        import torch

        def f(x):
            linear = torch.nn.Linear(3, 2)
            before = linear.weight.detach().clone()
            for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
                optimizer = kind(linear.parameters(), lr=0.1)
                optimizer.zero_grad()
                linear(x).square().sum().backward()
                optimizer.step()
                if not linear.weight.requires_grad or torch.equal(linear.weight, before):
                    return "no step"
                before = linear.weight.detach().clone()
            return sorted(name for name in sys.modules if name.startswith("torch._dynamo"))
    """
    with zygote.worker() as worker:
        load(worker, code)
        assert call(worker, torch.ones(1, 3))["ok"]["value"] == []


@pytest.fixture(scope="module")
def plain() -> Iterator[Zygote]:
    """One without isolation."""
    with Zygote(isolated=False) as made:
        yield made


def test_without_isolation_too_what_code_has_started_ends_with_it(
    plain: Zygote, tmp_path: Path
) -> None:
    """Also where the code ends by itself: nobody has to kill it then."""
    fifo = tmp_path / "open while somebody lives"
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    fork = "if os.fork() == 0:\n        while True: pass\n    os._exit(0)"
    code = f"import os\ndef f(x):\n    file = open({str(fifo)!r}, 'w')\n    {fork}\n"
    with plain.worker() as worker:
        load(worker, code)
        ending(worker)
        assert select.select([reading], [], [], 10)[0] and os.read(reading, 1) == b""
    os.close(reading)


def test_without_isolation_the_same_requests_work(plain: Zygote) -> None:
    with plain.worker(Limits(wall_seconds=1.0)) as worker:
        load(worker, SOFTMAX)
        assert torch.allclose(call(worker, X)["ok"]["value"], torch.softmax(X, -1))
        load(worker, "import os\ndef f(x):\n    if os.fork() == 0:\n        while True: pass\n")
        call(worker, X)
        load(worker, "def f(x):\n    while True: pass")
        with pytest.raises(WorkerDied) as died:
            call(worker, X)
    assert died.value.kind == "timeout"
    with plain.worker() as worker:
        load(worker, "import ctypes\ndef f(x): ctypes.string_at(0)")
        assert ending(worker)[0] == "crashed"


def test_every_layer_is_there() -> None:
    missing = [layer for layer in layers() if not layer.present and layer.name != "control group"]
    assert missing == []


def test_an_ordinary_user_has_every_layer_too() -> None:
    """In a namespace of its own this process is user 1000 without any capability."""
    script = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
assert os.geteuid() == 1000
from grader.wall.isolation_layers import layers
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


def test_control_groups_are_optional_and_removed() -> None:
    made = cgroup.create(4096, 100)
    if made is not None:
        assert all(directory.is_dir() for directory in made.directories)
        made.remove()
        assert not any(directory.exists() for directory in made.directories)
