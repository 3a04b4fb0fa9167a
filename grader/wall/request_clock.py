"""Tells when a worker is out of time for one request; knows no request."""

import threading
import time
from typing import Protocol

from ..worker.processor import PATIENCE, seconds_waited

_OWN_SHARE = 0.95  # of its time, after which a worker may say itself where it is


class Timekeeper(Protocol):
    """Who knows how long workers wait for a processor, and reaches them."""

    def delayed(self, number: int) -> float:
        """Seconds that it has waited for a processor so far; 0 where nobody counts them."""

    def ring(self, number: int) -> None:
        """Have it say where it is."""


class TimedOut(Exception):
    """There is no time left."""


class RequestClock:
    """The time of one request, but for what two of them wait for a processor: its worker, and the
    thread that asks and answers the worker's own calls meanwhile.

    A machine with much else to do is no disadvantage, up to `PATIENCE`.
    """

    def __init__(self, seconds: float, keeper: Timekeeper, number: int, known: float) -> None:
        """`known`: seconds that the worker had waited for a processor before, at least."""
        self._keeper, self._number, self._known = keeper, number, known
        self.own = _OWN_SHARE * seconds
        self._rest = seconds - self.own
        self._asking = threading.get_native_id()
        self._asking_known = seconds_waited(self._asking)
        self.began = time.monotonic()
        self._look = self.began + self.own
        self.has_rung = False  # the worker was told to say where it is

    @property
    def spent(self) -> float:
        """Seconds since it began, without such a wait; asks the keeper, so it takes a moment."""
        waited = time.monotonic() - self.began
        delayed = self._keeper.delayed(self._number) - self._known
        delayed += seconds_waited(self._asking) - self._asking_known
        return max(waited - max(delayed, 0.0), waited / PATIENCE)

    def left(self) -> float:
        """Seconds until somebody has to look again; raises TimedOut."""
        now = time.monotonic()
        if now >= self._look and self.has_rung:
            raise TimedOut
        if now >= self._look:
            spare = self.own - self.spent
            self.has_rung = spare <= 0
            if self.has_rung:
                self._keeper.ring(self._number)
            self._look = now + (self._rest if self.has_rung else max(spare, 0.05))
        return max(self._look - now, 0.0)
