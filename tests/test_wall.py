"""Requests that cross the wall: gradients, modules, training, callbacks, large tensors."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from grader.wall.transport import WorkerDied, WorkerTransport
from grader.wall.zygote_client import Zygote
from grader.worker.values import BadTree, Callback
from tests.wall_attacks import PRELUDE
from tests.wall_workers import SOFTMAX, X, assert_unharmed, call, load

pytestmark = pytest.mark.isolation


@pytest.fixture(scope="module")
def bystander(zygote: Zygote) -> Iterator[WorkerTransport]:
    """An honest learner's worker that lives through all attacks."""
    with zygote.worker() as worker:
        load(worker, SOFTMAX)
        yield worker


def test_gradients_and_modules_cross_the_wall(zygote: Zygote) -> None:
    code = """
        import torch
        class M(torch.nn.Linear):
            pass
        """
    with zygote.worker() as worker:
        load(worker, code)
        payload: dict[str, Any] = {"name": "M", "args": (3, 2), "kwargs": {}, "seed": 0}
        made = worker.request("construct", payload)["ok"]
        payload = {"handle": made["handle"], "values": {"weight": torch.ones(2, 3)}}
        assert worker.request("write", payload) == {"ok": {}}
        target = {"target": {"handle": made["handle"]}, "args": (X,), "kwargs": {}}
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
    big = torch.arange(2_000_000, dtype=torch.float32)
    with zygote.worker() as worker:
        load(worker, "def f(x): return x + 1")
        assert torch.equal(call(worker, big)["ok"]["value"], big + 1)
        load(worker, "import torch\ndef f(x): return torch.zeros(50_000_000)")
        assert "it holds 191 MB" in call(worker, X)["ok"]["value"].type_name


def test_what_a_function_is_given_may_be_larger_than_an_answer(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "import torch\ndef f(g): return g(torch.ones(1_000, 5_000)).sum()")
        answer = call(worker, Callback(1, lambda x: 2 * x))
        assert float(answer["ok"]["value"]) == 1e7


def test_an_answer_is_small_with_its_gradients(zygote: Zygote) -> None:
    code = "import torch\nclass M(torch.nn.ParameterList):\n    def __call__(self, x):\n"
    code += "        return sum(each.sum() for each in self)\n"
    code += "def make(): return M([torch.zeros(10**6) for _ in range(6)])"
    with zygote.worker() as worker:
        load(worker, code)
        payload = {"name": "make", "args": (), "kwargs": {}, "seed": 0}
        made = worker.request("construct", payload)["ok"]
        target = {"target": {"handle": made["handle"]}, "kwargs": {}}
        options = {"cotangent": torch.ones(())}
        error = worker.request("call", {**target, "args": (X,), "options": options})["error"]
        assert "it holds 23 MB of tensors; at most 16 MB are sent" in error["message"]


@pytest.mark.parametrize("given", [(), (Callback(1, lambda: None),)])
def test_a_worker_cannot_send_more_than_an_answer_may_hold(
    zygote: Zygote, given: tuple[Callback, ...]
) -> None:
    section = "b'\\2' + b'\\0' * 7 + b'{}' + b'\\0' * 20_000_000"
    code = f"{PRELUDE}\ndef f(*x):\n    data = {section}\n    said = forged(3)\n"
    code += "    size = struct.calcsize('<4s16s')\n    text = said[size + 12:]\n"
    code += "    say(header(len(text), len(data)) + text + data)\n    time.sleep(5)\n"
    with zygote.worker() as worker:
        load(worker, code)
        with pytest.raises(WorkerDied) as died:
            call(worker, *given)
        assert died.value.kind == "protocol"


def test_a_worker_that_does_not_read_is_ended(zygote: Zygote) -> None:
    with zygote.worker() as worker:
        load(worker, "import time\ndef f(g):\n    g()\n    time.sleep(1000)")
        given = Callback(1, lambda: torch.zeros(8_000_000))
        load(worker, f"{PRELUDE}\ndef f(g):\n    say(header(9, 0) + b'[')\n    time.sleep(1000)")
        with pytest.raises(WorkerDied) as died:
            payload = {"target": {"name": "f"}, "args": (given,), "kwargs": {}, "options": {}}
            worker.request("call", payload, 0.5)
        assert died.value.kind == "timeout"
