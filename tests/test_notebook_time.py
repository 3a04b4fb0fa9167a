"""A check in a kernel ends in time, and can be interrupted."""

from __future__ import annotations

import dis
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import grader
from grader.notebook.checked import Checked
from grader.worker.problems import line_at, loop_around
from tests.causal_masks import Mask, checked, loops, right

# What does not come to an end, and what swallows whatever is raised in it.


def computes(n: int) -> Any:
    total = torch.zeros(n)
    while True:
        total = total + 1


def answers_late(n: int) -> Any:
    try:
        loops(n)
    except BaseException:
        return right(n)


ENDLESS = (
    loops,
    computes,
    answers_late,
)


@pytest.mark.parametrize("clock", ["alarm", "without signals", "in a thread"])
@pytest.mark.parametrize("mask", ENDLESS, ids=lambda each: each.__name__)
def test_code_without_an_end_is_ended(
    mask: Mask, clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Checked] = []
    if clock == "without signals":  # as on Windows
        monkeypatch.delattr(signal, "setitimer")
        monkeypatch.delattr(signal, "SIGALRM")
    if clock == "in a thread":
        thread = threading.Thread(target=lambda: found.append(checked(mask, 0.1)))
        thread.start()
        thread.join()
    else:
        found.append(checked(mask, 0.1))
    mark = found[0].mark
    assert mark.verdict == "timeout"
    assert "took more than 0.1 seconds" in mark.message
    assert "grader" not in mark.message
    assert sys.gettrace() is None or "coverage" in repr(sys.gettrace())
    assert checked(right).mark.verdict == "passed"


def in_pieces(word: str) -> list[str]:
    start, pieces = 0, []
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in "ab":
                pieces.append(word[start:end])
                start = end
    return pieces


def test_every_moment_of_a_loop_has_a_line_of_it() -> None:
    code, first = in_pieces.__code__, in_pieces.__code__.co_firstlineno
    lines = [line_at(code, each.offset) for each in dis.get_instructions(code)]
    assert {*lines} == {first, *range(first + 1, first + 8)}
    backwards = [each for each in dis.get_instructions(code) if "BACKWARD" in each.opname]
    assert {loop_around(__file__, line_at(code, each.offset)) - first for each in backwards} >= {3}


def sleeps(_: int) -> Any:
    time.sleep(1000)


def test_what_sleeps_is_woken() -> None:
    assert checked(sleeps, 0.1).mark.verdict == "timeout"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no processor to keep to")
@pytest.mark.parametrize("clock", ["alarm", "without signals"])
def test_a_check_is_not_late_because_others_have_the_processor(
    clock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three others want the same one: it takes a second, of which it computes a quarter."""
    if clock == "without signals":
        monkeypatch.delattr(signal, "setitimer")
        monkeypatch.delattr(signal, "SIGALRM")
    made: list[int] = []

    def works_once(n: int) -> Tensor:
        began = time.thread_time()
        while not made and time.thread_time() - began < 0.25:
            pass
        made.append(n)
        return right(n)

    before = os.sched_getaffinity(0)
    one = min(before)
    spin = [sys.executable, "-c", f"import os; os.sched_setaffinity(0, [{one}])\nwhile 1: pass"]
    others = [subprocess.Popen(spin) for _ in range(3)]
    try:
        os.sched_setaffinity(0, [one])
        assert checked(works_once, 0.75).mark.verdict == "passed"
        assert checked(loops, 0.1).mark.verdict == "timeout"
    finally:
        os.sched_setaffinity(0, before)
        for other in others:
            other.kill()
            other.wait()


def test_the_learners_own_alarms_are_put_back() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    mine = signal.getsignal(signal.SIGALRM)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1000, 7)
        checked(loops, 0.1)
        checked(right)
        assert signal.getsignal(signal.SIGALRM) is mine
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 900 < left < 1000 and interval == 7
        assert not rung
        signal.setitimer(signal.ITIMER_REAL, 0.05)  # what was due meanwhile comes afterwards
        checked(loops, 0.1)
        for _ in range(1_000_000):
            if rung:
                break
        assert rung == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("calls", [1, 2, 5])
def test_an_interrupt_leaves_all_ready_for_the_next_check(calls: int) -> None:
    made = 0

    def causal_mask(n: int) -> Tensor:
        nonlocal made
        made += 1
        if made == calls:
            signal.raise_signal(signal.SIGINT)
        return right(n)

    with pytest.raises(KeyboardInterrupt) as caught:
        grader.check(causal_mask)
    trace = caught.value._render_traceback_()  # type: ignore[attr-defined]
    assert len(trace) == 1 and "\n" not in trace[0]
    assert trace[0].startswith(
        f"The check of causal_mask was interrupted at {Path(__file__).name},"
    )
    assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert "PYTEST_CURRENT_TEST" in os.environ  # of this test, and not of the check's
    assert "check_" not in os.environ["PYTEST_CURRENT_TEST"].partition("::")[0].rpartition("/")[2]
    for _ in range(2):
        assert "causal_mask: passed" in repr(grader.check(causal_mask))


def test_a_check_within_a_check_is_refused() -> None:
    inner: list[Any] = []

    def causal_mask(n: int) -> Tensor:
        if not inner:
            inner.append(grader.check(causal_mask))
        return right(n)

    assert "causal_mask: passed" in repr(grader.check(causal_mask))
    assert "Another check is at work" in repr(inner[0])
