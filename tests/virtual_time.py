"""An event loop whose clock goes on only when nothing is left to do: waits take no time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _NobodyWaits(selectors.DefaultSelector):  # type: ignore[misc,valid-type]
    """Where the loop would wait until a time, its clock stands at that time."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        """What is ready; with no end of the wait it comes from outside, and is waited for."""
        ready = super().select(0 if timeout else timeout)
        if not ready and timeout:
            self.now += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _NobodyWaits()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` gives; no thread may do a part of it, since the clock would not wait for that."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)
