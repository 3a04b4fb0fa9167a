"""Says how long code has waited for a processor that others had; limits nothing."""

import os

PATIENCE = 6  # times its seconds, a call may take where others have the processors
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def seconds_waited(task: int) -> float:
    """Of the thread, or the main thread of the process, of this number; 0 where nobody counts."""
    return _scheduled(task)[1]


def seconds_waited_for_others(process: int) -> float:
    """What its main thread has waited, less what all its other threads have worked: a process that
    keeps itself from a processor waits for nobody. Below 0 where they have worked more.
    """
    worked, waited = _scheduled(process)
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return waited - max(sum(map(int, fields[11:13])) / _TICKS - worked, 0.0)
    except (OSError, ValueError):
        return 0.0


def _scheduled(task: int) -> tuple[float, float]:
    """Seconds that it has worked, and waited for a processor."""
    try:
        with open(f"/proc/{task}/schedstat", "rb") as file:
            worked, waited = (int(number) / 1e9 for number in file.read().split()[:2])
            return worked, waited
    except (OSError, ValueError):
        return 0.0, 0.0
