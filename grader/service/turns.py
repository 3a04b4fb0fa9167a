"""Who is next: learners in turn, each with a few waiting checks and so many a minute."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from .refusal import Refusal

_WAITING = 3  # of one learner's checks, requests or answers, behind the one that is on its way
T = TypeVar("T")


class RateLimit:
    """So many events a minute for each learner, as a bucket that fills up evenly."""

    def __init__(self, a_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = a_minute
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, learner: str) -> float:
        """Nothing, where one more is allowed; else the seconds to wait for it."""
        now = self._clock()
        left, at = self._left.get(learner, (self._most, now))
        left = min(self._most, left + (now - at) * self._most / 60)
        allowed = left >= 1
        self._left[learner] = (left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) * 60 / self._most


class Turns(Generic[T]):
    """A queue for each learner; they are served in turn, and no learner by two at once."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[T]] = {}
        self._served: set[str] = set()
        self._changed = asyncio.Event()

    def put(self, learner: str, item: T) -> None:
        """Let one more wait; raises Refusal."""
        waiting = self._waiting.setdefault(learner, deque())
        if len(waiting) >= _WAITING:
            raise Refusal(429, "Your earlier checks are still waiting: one after the other.", 1.0)
        waiting.append(item)
        self._changed.set()

    async def get(self) -> tuple[str, T]:
        """The next one, of the learner who was served longest ago; `done` ends their turn."""
        while True:
            for learner, waiting in self._waiting.items():
                if learner not in self._served:
                    item = waiting.popleft()
                    del self._waiting[learner]
                    if waiting:  # behind everybody else
                        self._waiting[learner] = waiting
                    self._served.add(learner)
                    return learner, item
            self._changed.clear()
            await self._changed.wait()

    def done(self, learner: str) -> None:
        """This learner may be served again."""
        self._served.discard(learner)
        self._changed.set()


class OneEach:
    """One at a time of each learner; a few more of theirs wait, and nobody else's for them."""

    def __init__(self) -> None:
        self._here: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def turn(self, learner: str) -> AsyncIterator[None]:
        """This learner's turn; raises Refusal where too many of theirs wait for it."""
        lock, count = self._here.get(learner, (asyncio.Lock(), 0))
        if count > _WAITING:
            raise Refusal(429, "What you sent before is still on its way: try again.", 1.0)
        self._here[learner] = lock, count + 1
        try:
            async with lock:
                yield
        finally:
            lock, count = self._here.pop(learner)
            if count > 1:
                self._here[learner] = lock, count - 1
