"""Waits for what a cell awaits, as a notebook does; knows no exercise, and opens no socket."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any


class _Loop(asyncio.BaseEventLoop):
    """Runs tasks one after the other; here nobody else has anything to tell it."""

    _selector: Any

    def __init__(self) -> None:
        super().__init__()
        self._selector = self

    def select(self, seconds: float | None) -> list[Any]:
        """Let the time pass until the next task is due."""
        time.sleep(seconds or 0.0)
        return []

    def _process_events(self, _: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """Nobody waits to be woken."""


def wait_for(waiting: Coroutine[Any, Any, Any]) -> None:
    """Run it to its end; what it raises passes through."""
    loop = _Loop()
    try:
        loop.run_until_complete(waiting)
    finally:
        loop.close()
