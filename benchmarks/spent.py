"""Counts what a command and all that it started spent; knows no grader.

What it leaves behind as it ends (jobs that it has killed, say) would otherwise be nobody's, and
not be counted.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Iterator

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """From now on, processes without a parent become this one's children (on Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def orphans() -> Iterator[resource.struct_rusage]:
    """Wait for every child there is, once the command itself has ended; what each has used."""
    while True:
        try:
            _, _, used = os.wait4(-1, 0)
        except ChildProcessError:
            return
        yield used


def processor_seconds() -> float:
    """Of all children that have ended and been waited for, their own included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
