"""Times checks through the checker: a bundle's kernel beside a clone's, and fifty learners."""

from __future__ import annotations

import argparse
import http.client
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from tests.bundles import ROOT, bundle, environment

# Each number is other code, which no cache knows.
SOFTMAX = """import torch
def softmax(x, dim):
    most_{number} = x.amax(dim, keepdim=True)
    weights = (x - most_{number}).exp()
    return weights / weights.sum(dim, keepdim=True)
"""
# What a learner does: cell after cell.
_IN_A_KERNEL = """
import sys, time
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_cell("import torch\\nfrom grader import check", store_history=True)
shell.user_ns["torch"].set_num_threads(1)
for line in sys.stdin:
    shell.run_cell({softmax!r}.format(number=int(line)), store_history=True)
    began = time.perf_counter()
    card = shell.user_ns["check"](shell.user_ns["softmax"])
    seconds = time.perf_counter() - began
    assert "softmax: passed" in str(card), card
    print(seconds, flush=True)
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


class Kernel:
    """A process with IPython's shell, in which code is run and checked as in a notebook's cells."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _IN_A_KERNEL.format(softmax=SOFTMAX)],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, number: int) -> float:
        """How long `check(softmax)` takes there, of code that was never checked before."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{number}\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def spent(pid: int) -> float:
    """Seconds of processor time that a process and all below it have taken, whatever else runs."""
    total, top = 0.0, psutil.Process(pid)
    for each in (top, *top.children(recursive=True)):
        with suppress(psutil.Error):  # a worker that has just ended; its parent counts it
            times = each.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def alone(served: Checker, folder: Path, checks: int) -> None:
    """One learner with a bundle, in turn with one who has a clone."""
    course = bundle(folder / "course", checker=f"http://127.0.0.1:{served.port}")
    there = Kernel(course / "notebooks", environment(course, GRADER_TOKEN=served.tokens[0]))
    here = Kernel(shutil.copytree(ROOT / "notebooks", folder / "clone"))
    try:
        there.seconds(0), here.seconds(0)
        before = spent(served.pid)
        pairs = [(there.seconds(n), here.seconds(n)) for n in range(1, checks + 1)]
        on_processor = spent(served.pid) - before
    finally:
        there.close()
        here.close()
    for what, of in (("median", statistics.median), ("fastest", min)):
        served_ms, here_ms = (1e3 * of(each) for each in zip(*pairs, strict=True))
        print(
            f"one check, {what} of {checks}: {served_ms:.0f} ms by the checker, {here_ms:.0f} ms "
            f"in a clone's kernel: {served_ms - here_ms:.0f} ms more"
        )
    print(f"processor time of the checker for one: {on_processor / checks * 1e3:.0f} ms")


def together(served: Checker, seconds: float) -> None:
    """All learners at once, each as fast as answers come."""
    until = time.monotonic() + seconds
    waited: list[float] = []
    answered = Counter(dict.fromkeys(range(len(served.tokens)), 0))
    lost: list[Exception] = []

    def work(learner: int) -> None:
        number = 1_000 * (learner + 1)
        while time.monotonic() < until:
            number += 1
            try:
                waited.append(served.seconds(learner, number))
                answered[learner] += 1
            except Exception as error:
                lost.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(served.tokens))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{len(threads)} learners for {seconds:g} s: {of_many(waited, answered, lost)}")


def of_many(waited: Sequence[float], answered: Mapping[int, int], lost: Sequence[object]) -> str:
    """What came of the checks of many: seconds of each, answers of each learner, what failed."""
    said = f"{len(waited)} checks answered, {len(lost)} lost"
    if waited:
        late = sorted(waited)[min(len(waited) - 1, len(waited) * 95 // 100)]
        said += f"; median {statistics.median(waited):.2f} s, 95 % within {late:.2f} s"
    return f"{said}; a learner got {min(answered.values())} to {max(answered.values())}"


def main() -> None:
    """Print both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=int, default=30)
    parser.add_argument("--learners", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        checker(Path(folder), given.learners, given.jobs) as served,
    ):
        alone(served, Path(folder), given.checks)
        together(served, given.seconds)


if __name__ == "__main__":
    main()
