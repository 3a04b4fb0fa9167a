"""Ends code of this process that takes too long; does not know what the code is for.

What it waits for a processor that others have does not count, up to `PATIENCE` times its seconds.
In the main thread a signal ends it, which also wakes code that sleeps. Where there is no such
signal (Windows, other threads), a second thread watches and raises an exception in the first.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TypeVar

from ..worker.problems import line_at
from ..worker.processor import PATIENCE, seconds_waited

T = TypeVar("T")

_RETRY = 0.01  # seconds
_GENTLE_TRIES = 10
# So long, PyTorch's own frames are left in peace, as its context managers shall put things back;
# and so long an import, as half a module is worse than none.
_PATIENCE, _PATIENCE_TO_IMPORT = 1.0, 60.0
_LOOK = 0.05  # how often the second thread looks whether anything runs
_raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in_thread.argtypes = (ctypes.c_ulong, ctypes.py_object)


class OutOfTime(BaseException):
    """Raised in code whose time is over; no Exception, so that learners rarely swallow it."""

    limit: TimeLimit

    def __init__(self) -> None:
        # Code that keeps all that it catches has had its time to tidy up: the next line, in the
        # `except`, is outside of the `try`.
        if self.limit.tries > _GENTLE_TRIES:
            self.limit.strike_at_next_line(sys._getframe().f_back)

    def __del__(self) -> None:
        # Code has swallowed it, as `except: pass` in a loop does. It dies after the `except`, so
        # that the next line is outside of this `try`.
        self.limit.strike_at_next_line(sys._getframe().f_back)


class TimeLimit:
    """Seconds that all calls through `run` may take together; a context manager.

    Afterwards the process has the signal handler and the timer that it had before.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = self.left = seconds
        self._began = self._waited = 0.0  # of what runs, and what it had waited for a processor
        self.deadline = 0.0
        self.runs = False
        # Where the code was when its time was over, innermost first: file and line.
        self.at: tuple[tuple[str, int], ...] = ()
        self.tries = 0
        self._thread, self._task = threading.get_ident(), threading.get_native_id()
        self.raised = type("OutOfTime", (OutOfTime,), {"limit": self})
        self._clock: _Alarm | _Watch = _Alarm(self) if _Alarm.is_possible() else _Watch(self)

    def __enter__(self) -> TimeLimit:
        self._clock.open()
        return self

    def __exit__(self, *_: object) -> None:
        self._clock.close()

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left <= 0

    def run(self, function: Callable[[], T]) -> T | None:
        """What `function` returns; worth nothing once `is_over`."""
        answer = None
        traced = sys.gettrace()
        self._waited, self._began = seconds_waited(self._task), time.monotonic()
        self.deadline = self._began + self.left
        try:
            try:
                self.runs = True
                self._clock.start()
                answer = function()
            finally:
                self._end(traced)
        except OutOfTime:  # also one that came late: no further one follows
            self._end(traced)
        except Exception:
            if not self.tries:  # else it comes of what was cut off
                raise
        return answer

    def _end(self, traced: Any) -> None:
        self.runs = False
        self._clock.stop()
        if self.tries:
            sys.settrace(traced)
        if not self.tries and time.monotonic() - self._began > _RETRY:
            self._move_deadline()
        self.left = max(0.0, self.deadline - time.monotonic())

    def _move_deadline(self) -> None:
        """By what was waited for a processor meanwhile."""
        waited = seconds_waited(self._task) - self._waited
        self.deadline = self._began + min(self.left + waited, self.left * PATIENCE)

    def strikes(self, frame: FrameType | None) -> bool:
        """Whether to raise there now: never here, and in PyTorch only after some patience."""
        now = time.monotonic()
        if not self.runs or now < self.deadline:
            return False
        if not self.tries:
            self._move_deadline()
            if now < self.deadline:
                self._clock.start()
                return False
        late = now - self.deadline
        if frame is None or frame.f_code.co_filename == __file__:
            return False
        if late < _PATIENCE and str(frame.f_globals.get("__name__")).startswith("torch."):
            return False
        places = tuple(_places(frame))
        if late < _PATIENCE_TO_IMPORT and any("importlib._bootstrap" in at for at, _ in places):
            return False
        self.at = self.at or places
        self.tries += 1
        return True

    def strike_at_next_line(self, frame: FrameType | None) -> None:
        """Raise once more, as soon as this frame, or the one that called us, goes on."""
        while frame is not None and frame.f_code.co_filename == __file__:
            if frame.f_code is _RUN:
                return  # beyond it is who asked
            frame = frame.f_back
        if self.runs and frame is not None and threading.get_ident() == self._thread:
            frame.f_trace = self._trace
            sys.settrace(self._trace)  # which Python takes back when it raises

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        # At an "exception" it would still be inside of the `try`.
        if event in ("line", "call") and self.strikes(frame):
            raise self.raised
        return self._trace


_RUN = TimeLimit.run.__code__


def _places(frame: FrameType | None) -> Iterator[tuple[str, int]]:
    while frame is not None:  # here, and not in a module where an alarm may strike
        yield frame.f_code.co_filename, frame.f_lineno or line_at(frame.f_code, frame.f_lasti)
        frame = frame.f_back


class _Alarm:
    """The signal SIGALRM, for the main thread."""

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._handler: Any = None
        self._timer = (0.0, 0.0)
        self._opened = 0.0

    @staticmethod
    def is_possible() -> bool:
        return (
            hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) is not None  # else it could not be put back
        )

    def open(self) -> None:
        self._opened = time.monotonic()
        self._timer = signal.setitimer(signal.ITIMER_REAL, 0)
        self._handler = signal.signal(signal.SIGALRM, self._ring)

    def close(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler)
        waits, interval = self._timer
        if waits:  # what was due meanwhile comes at once
            waits = max(1e-6, waits - (time.monotonic() - self._opened))
            signal.setitimer(signal.ITIMER_REAL, waits, interval)

    def start(self) -> None:
        # With an interval: where the stack is full, a ring is lost before it is heard.
        left = self._limit.deadline - time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6), _RETRY)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, _: int, frame: FrameType | None) -> None:
        if self._limit.strikes(frame):
            raise self._limit.raised


class _Watch:
    """A thread that watches the one that it was made in."""

    def __init__(self, limit: TimeLimit) -> None:
        self._limit = limit
        self._watched = threading.get_ident()
        self._striking = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="time limit", daemon=True)

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def start(self) -> None:
        """The thread looks by itself."""

    def stop(self) -> None:
        with self._striking:  # whoever holds it knows that nothing new is on its way
            struck = self._limit.tries
        if struck:
            # One may still be on its way. To take it back would leave Python looking for it for
            # ever, at every call; so another one takes its place, and is caught here.
            with contextlib.suppress(OutOfTime):
                _raise_in_thread(self._watched, ctypes.py_object(self._limit.raised))
                for _ in range(1_000):
                    pass

    def _watch(self) -> None:
        limit = self._limit
        pause = _LOOK
        while not self._closed.wait(pause):
            late = time.monotonic() - limit.deadline
            with self._striking:
                if limit.strikes(sys._current_frames().get(self._watched)):
                    _raise_in_thread(self._watched, ctypes.py_object(limit.raised))
            pause = _RETRY if limit.runs and late >= 0 else min(_LOOK, max(-late, _RETRY))
