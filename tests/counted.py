"""Counts the lines that code runs and the memory it takes, where a clock measures the machine."""

from __future__ import annotations

import gc
import math
import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any, ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
R = TypeVar("R")


def steps(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> int:
    """How many lines of Python a call runs, each turn of a loop anew.

    What runs in C counts as the line that called it.
    """
    return _counted(math.inf, lambda: function(*args, **kwargs))[0]


def within(at_most: float, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What a call gives; the test fails as soon as the call has taken more steps than `at_most`."""
    return _counted(at_most, lambda: function(*args, **kwargs))[1]


def peak_memory(function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> int:
    """How many bytes Python held during a call, at most, beyond those it held before."""
    traces = tracemalloc.is_tracing()  # for somebody else
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        function(*args, **kwargs)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not traces:
            tracemalloc.stop()


def _counted(at_most: float, function: Callable[[], R]) -> tuple[int, R]:
    count = 0

    def follow(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
            if count > at_most:
                _fail(at_most)  # at once: it might take hours
        return follow

    former, collects = sys.gettrace(), gc.isenabled()  # a debugger's, coverage's
    gc.disable()  # it comes when it likes, and what others have hung into it would count
    sys.settrace(follow)
    try:
        result = function()
        last = sys.gettrace()
    finally:
        sys.settrace(former)
        if collects:
            gc.enable()
    if count > at_most:  # where the code caught what was raised
        _fail(at_most)
    assert last is follow, "Python stops to count where its stack is exhausted"
    return count, result


def _fail(at_most: float) -> None:
    pytest.fail(f"took more than {at_most:,.0f} steps")  # no Exception: few catch it
