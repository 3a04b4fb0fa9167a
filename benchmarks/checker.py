"""Times checks through the checker: one learner beside the kernel, and fifty at once."""

from __future__ import annotations

import argparse
import http.client
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import torch

from grader.notebook.in_process import mark_in_kernel

# Each number is other code, which no cache knows.
SOFTMAX = """import torch
def softmax(x, dim):
    most_{number} = x.amax(dim, keepdim=True)
    weights = (x - most_{number}).exp()
    return weights / weights.sum(dim, keepdim=True)
"""


class Checker:
    """A checker that answers, with its learners' tokens."""

    def __init__(self, port: int, tokens: list[str], pid: int) -> None:
        self.port, self.tokens, self.pid = port, tokens, pid

    def seconds(self, learner: int, number: int) -> float:
        """How long a learner waits for the card of code that was never checked before."""
        source = SOFTMAX.format(number=number)
        cell = {"source": source, "label": "In [1]", "notebook": "n", "index": 1}
        body = json.dumps({"exercise": "softmax", "cells": [cell]})
        begun = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        token = {"Authorization": f"Bearer {self.tokens[learner]}"}
        connection.request("POST", "/check", body, token)
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        connection.close()
        assert answer["mark"]["verdict"] == "passed", answer
        return time.perf_counter() - begun


@contextmanager
def checker(
    folder: Path, learners: int, jobs: int, checks_a_minute: int = 6000
) -> Iterator[Checker]:
    """Start one, and end it."""
    roster = folder / "roster.txt"
    roster.write_text("".join(f"learner{n}\n" for n in range(learners)), encoding="utf-8")
    command = [sys.executable, "-m", "grader", "serve", str(folder / "kept"), "--port", "0"]
    command += ["--roster", str(roster), "--jobs", str(jobs), "--checks-a-minute"]
    command += [str(checks_a_minute)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = ""
        while "Answering on" not in printed:
            printed += process.stdout.readline()
        tokens = re.findall(r"^learner\d+: (\S+)$", printed, re.MULTILINE)
        (port,) = re.findall(r"http://127\.0\.0\.1:(\d+)", printed)
        try:
            yield Checker(int(port), tokens, process.pid)
        finally:
            process.kill()


def in_kernel(number: int) -> float:
    """The same check in this process."""
    names: dict[str, Any] = {}
    exec(SOFTMAX.format(number=number), names)
    begun = time.perf_counter()
    assert mark_in_kernel("softmax", names["softmax"]).verdict == "passed"
    return time.perf_counter() - begun


def spent(pid: int) -> float:
    """Seconds of processor time that a process and all below it have taken, whatever else runs."""
    total, top = 0.0, psutil.Process(pid)
    for each in (top, *top.children(recursive=True)):
        with suppress(psutil.Error):  # a worker that has just ended; its parent counts it
            times = each.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def alone(served: Checker, checks: int) -> None:
    """One learner, in turn with the kernel."""
    served.seconds(0, 0), in_kernel(0)
    there, here = spent(served.pid), time.process_time()
    pairs = [(served.seconds(0, n), in_kernel(n)) for n in range(1, checks + 1)]
    there, here = spent(served.pid) - there, time.process_time() - here
    served_ms, here_ms = (statistics.median(each) * 1e3 for each in zip(*pairs, strict=True))
    print(f"one check, median of {checks}: {served_ms:.0f} ms, in the kernel {here_ms:.0f} ms")
    there_ms, here_ms = there / checks * 1e3, here / checks * 1e3
    print(
        f"processor time of one: {there_ms:.0f} ms, in the kernel {here_ms:.0f} ms, asking included"
    )


def together(served: Checker, seconds: float) -> None:
    """All learners at once, each as fast as answers come."""
    until = time.monotonic() + seconds
    waited: list[float] = []
    answered: Counter[int] = Counter()

    def work(learner: int) -> None:
        number = 1_000 * (learner + 1)
        while time.monotonic() < until:
            number += 1
            waited.append(served.seconds(learner, number))
            answered[learner] += 1

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(served.tokens))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    late = statistics.quantiles(waited, n=20)[-1]
    fewest, most = min(answered.values()), max(answered.values())
    print(
        f"{len(threads)} learners for {seconds:g} s: {len(waited)} checks answered, median "
        f"{statistics.median(waited):.2f} s, 95 % within {late:.2f} s; a learner got {fewest} to "
        f"{most}"
    )


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=30)
    parser.add_argument("--learners", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        checker(Path(folder), given.learners, given.jobs) as served,
    ):
        alone(served, given.checks)
        together(served, given.seconds)


if __name__ == "__main__":
    main()
