"""The wall under attack: hostile code straight at the transports, beside an honest bystander."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from grader.wall.limits import Limits
from grader.wall.transport import WorkerDied, WorkerTransport
from grader.wall.zygote_client import Zygote
from tests.wall_attacks import ATTACKS, PRELUDE, Attack
from tests.wall_workers import SOFTMAX, X, assert_unharmed, call, ending, load, processes

pytestmark = pytest.mark.isolation

SLACK = 20  # seconds that a machine may be late, which does other things too


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


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_attack(zygote: Zygote, bystander: WorkerTransport, attack: Attack) -> None:
    cpu_seconds = 1 if "cpu_time" in attack.name else 100
    limits = Limits(attack.seconds, cpu_seconds=cpu_seconds, memory_mb=512, tmp_mb=16)
    before = processes(zygote)
    worker = zygote.worker(limits)
    load(worker, f"{attack.code}\ndef harmless(x):\n    return x\n", timeout=30)
    start = time.monotonic()
    end, value = ending(worker)
    assert time.monotonic() - start < attack.seconds + SLACK
    assert end in attack.ends, (end, value)
    assert attack.value is None or value == attack.value
    if end not in ("timeout", "crashed", "protocol"):
        assert ending(worker, "harmless")[0] in attack.then
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
        ("x = '\ud800'", "raised"),
        ("x = '\x00'", "raised"),
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


def test_workers_cannot_lock_what_another_sees(zygote: Zygote) -> None:
    code = """
import fcntl, os
def kinds(x):
    ends = []
    for path in (os.__file__, "/dev/null"):
        file = os.open(path, os.O_RDONLY)
        for act in (fcntl.flock, fcntl.lockf):
            try:
                act(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                ends.append("locked")
            except OSError as error:
                ends.append(type(error).__name__)
    return ends
"""
    with zygote.worker() as one, zygote.worker() as other:
        for worker in (one, other):
            load(worker, code)
            assert call(worker, X, name="kinds")["ok"]["value"] == ["PermissionError"] * 4


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
