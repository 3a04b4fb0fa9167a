"""Times what the wall costs: starting it, a worker's fork and first call, later calls.

    python -m benchmarks.worker_latency [--rounds N]

Prints medians, the fastest and the slowest tenth in milliseconds, behind the wall, in plain forks
without isolation, and in this process.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from grader.wall.zygote_client import Zygote
from grader.worker.answering import Service

CALLS = 200
CODE = """
import torch
from torch import nn

def softmax(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)
"""
UNITS = {"exercise": "softmax", "units": [{"code": CODE, "label": "cell", "line": 1}]}
X = torch.randn(2, 5, 7)
Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


def call(**options: Any) -> dict[str, Any]:
    """The payload of one call."""
    target = {"name": "softmax"}
    return {"target": target, "args": (X, -1), "kwargs": {}, "options": options}


def timed(action: Callable[[], object]) -> float:
    """Milliseconds that `action` takes."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def first_call(ask: Ask) -> None:
    """Load the code and call it once."""
    ask("load", UNITS)
    ask("call", call())


def repeated(ask: Ask, payload: dict[str, Any]) -> list[float]:
    """Milliseconds of each of many calls."""
    return [timed(lambda: ask("call", payload)) for _ in range(CALLS)]


def show(what: str, times: list[float]) -> None:
    """One line: median, and the borders of the fastest and the slowest tenth."""
    tenths = statistics.quantiles(times, n=10) if len(times) > 1 else times * 9
    print(f"  {what:<34}{statistics.median(times):9.3f}{tenths[0]:9.3f}{tenths[-1]:9.3f}")


def measure_workers(isolated: bool, rounds: int) -> None:
    """Fresh workers, one after the other."""
    started = time.perf_counter()
    with Zygote(isolated) as zygote:
        with zygote.worker() as worker:
            first_call(worker.request)
        start = (time.perf_counter() - started) * 1000
        firsts, calls, gradients, ends = [], [], [], []
        for _ in range(rounds):
            began = time.perf_counter()
            with zygote.worker() as worker:
                first_call(worker.request)
                firsts.append((time.perf_counter() - began) * 1000)
                worker.request("call", call(cotangent=X))  # the first backward pass is slower
                calls += repeated(worker.request, call())
                gradients += repeated(worker.request, call(cotangent=X))
            ends.append(timed(lambda: zygote.worker().end()))
    print("behind the wall" if isolated else "plain forks, no isolation")
    show("start, first worker included", [start])
    show("fork and first call", firsts)
    show("fork and end", ends)
    show("call", calls)
    show("call with gradients", gradients)


def measure_here(rounds: int) -> None:
    """The same service in this process."""
    service = Service()
    first_call(service.handle)
    print("in this process")
    show("call", [ms for _ in range(rounds) for ms in repeated(service.handle, call())])
    payload = call(cotangent=X)
    show(
        "call with gradients",
        [ms for _ in range(rounds) for ms in repeated(service.handle, payload)],
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="fresh workers to measure")
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    print(f"{'milliseconds':<36}{'median':>9}{'fast 10%':>9}{'slow 10%':>9}")
    for isolated in (True, False):
        measure_workers(isolated, rounds)
    measure_here(rounds)


if __name__ == "__main__":
    main()
