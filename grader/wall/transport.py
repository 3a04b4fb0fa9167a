"""Sends requests to one worker, ends it over a late or malformed answer; knows no check."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Callable
from typing import Any, Protocol

from ..worker.callback_quota import MAX_CALLBACKS
from ..worker.protocol import (
    HEADER_SIZE,
    MAX_ANSWER_SECTION,
    MAX_SECTION,
    NONCE_SIZE,
    ProtocolError,
    decode_body,
    decode_header,
    encode,
    encode_with_callbacks,
)
from . import answer_forms
from .callbacks import TooMuch, within_bounds
from .limits import TimeBudget
from .request_clock import RequestClock, TimedOut, Timekeeper

_Functions = dict[int, Callable[..., Any] | None]
_FIRST = 2**16
_CHUNK = 2**20
_SLOW = 1.0  # seconds, after which it is worth asking how many of them a worker had no processor


class Keeper(Timekeeper, Protocol):
    """Who forked the worker and can end it."""

    def end(self, number: int) -> WorkerDied:
        """Kill it and say why it ended."""

    def discard(self, number: int) -> None:
        """Kill it; nobody asks why."""


class WorkerDied(Exception):
    """The worker is gone: it ran out of time or memory, crashed, or broke the protocol.

    `words` are ours. What the code may have chosen stands apart: `how` is a template and the number
    or text in it, and `at` the learner's line at which it was out of time, as a worker says: label,
    line, text. `case` is what it was given, in a check's own words.
    """

    def __init__(
        self,
        kind: str,
        words: str,
        at: tuple[str, int, str] | None = None,
        *,
        how: tuple[str, int | str] | None = None,
        case: str = "",
    ) -> None:
        self.kind = kind  # timeout | memory | crashed | protocol
        self.words = words
        self.at = at
        self.how = how
        self.case = case
        super().__init__(f"{kind}: {self.detail}")

    @property
    def detail(self) -> str:
        """All that is known of it, for people who may read it all."""
        how = self.how[0].format(self.how[1]) if self.how else ""
        return f"{self.words}{how}{self.case}"


class _Ended(Exception):
    pass


class WorkerTransport:
    """One worker, for one learner's code; after it has died, every request raises WorkerDied."""

    def __init__(
        self,
        number: int,
        channel: socket.socket,
        keeper: Keeper,
        seconds: float,
        budgets: tuple[tuple[str, TimeBudget], ...],
    ) -> None:
        channel.setblocking(False)
        self._number = number
        self._channel = channel
        self._keeper = keeper
        self._seconds = seconds
        self._budgets = budgets  # each with the words for whose it is
        self._died: WorkerDied | None = None
        self._delayed = 0.0  # seconds without a processor, as of the last time somebody asked
        self._reading, self._writing = select.poll(), select.poll()
        self._reading.register(channel, select.POLLIN)
        self._writing.register(channel, select.POLLOUT)

    def __enter__(self) -> WorkerTransport:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def has_ended(self) -> bool:
        """Whether every further request would raise WorkerDied."""
        return self._died is not None

    def request(
        self, op: str, payload: dict[str, Any], timeout: float | None = None
    ) -> dict[str, Any]:
        """`{"ok": result}` or `{"error": problem}`, both as the worker claims them.

        `timeout` in seconds covers all of it, callbacks included, but for what the worker waits for
        a processor. Raises WorkerDied; what a callback raised is raised again here, once the worker
        has answered.
        """
        seconds = self._seconds if timeout is None else timeout
        worked = time.process_time()
        left, used_up = self._left()
        self._stay_within(left, used_up)  # an answer might come before anybody looks at the clock
        clock = RequestClock(min(seconds, left), self._keeper, self._number, self._delayed)
        nonce = os.urandom(NONCE_SIZE)
        asked = {"op": op, "payload": payload}
        frame, callbacks = encode_with_callbacks(nonce, asked)
        # The worker may call what this request gives it, and nothing else.
        functions = {callback.id: callback.function for callback in callbacks}
        answer: dict[str, Any] = {}
        try:
            answer = self._exchange(nonce, frame, functions, clock)
            answer_forms.check(op, answer, [each["op"] for each in payload.get("asks", ())])
            if answer.get("error", {}).get("kind") == "late":
                raise TimedOut
            return answer
        except (ProtocolError, TimedOut) as error:
            reason = used_up if left < seconds else f"its calls took more than {_told(seconds)}"
            died = WorkerDied("timeout", reason, _place_of(answer))
            # One that is late may say so half-way through a frame.
            is_broken = isinstance(error, ProtocolError) and not clock.has_rung
            broken = WorkerDied("protocol", "what it sent is no answer", how=(" ({})", str(error)))
            self._end(broken if is_broken else died)
        except TooMuch as error:
            why = "a function that it was given was called with too much"
            self._end(WorkerDied("memory", why, how=(" ({})", str(error))))
        except _Ended:
            self._end(None)
        except BaseException:  # Ctrl-C, a callback's error: who knows what the worker does
            self.close()
            raise
        finally:
            waited, worked = time.monotonic() - clock.began, time.process_time() - worked
            if waited > _SLOW and self._died is None:
                spent, self._delayed = clock.spent, self._keeper.delayed(self._number)
                waited, worked = spent, min(worked, spent)
            for _, each in self._budgets:
                each.spend(waited, worked)
        raise self._died or AssertionError

    def stay_in_time(self) -> None:
        """Raise WorkerDied where no time is left to ask for anything more."""
        self._stay_within(*self._left())

    def _stay_within(self, left: float, used_up: str) -> None:
        if self._died is None and not left:
            self._end(WorkerDied("timeout", used_up))
        if self._died is not None:
            raise self._died

    def _left(self) -> tuple[float, str]:
        """The seconds of the budget that ends first, and what to say at its end."""
        lefts = [(budget.left, whose, budget) for whose, budget in self._budgets]
        left, whose, budget = min(lefts, key=lambda each: each[0])
        return left, f"{whose} took more than {_told(budget.seconds)}"

    def close(self) -> None:
        """Have the worker killed. Safe to call twice."""
        if self._died is None:
            self._died = WorkerDied("crashed", "the worker was closed")
            self._channel.close()
            self._keeper.discard(self._number)

    def end(self) -> WorkerDied:
        """Kill the worker and wait until nothing of it is left; say how it ended."""
        if self._died is None:
            self._end(None)
        return self._died or WorkerDied("crashed", "the worker ended")

    def _end(self, reason: WorkerDied | None) -> None:
        """Kill the worker, whatever it is doing, and keep why."""
        self._channel.close()
        self._died = reason or WorkerDied("crashed", "the worker ended")
        ended = self._keeper.end(self._number)
        if reason is None:
            self._died = ended

    def _exchange(
        self, nonce: bytes, frame: bytes, functions: _Functions, clock: RequestClock
    ) -> dict[str, Any]:
        self._refuse_early_bytes()
        self._send(frame, clock)
        failure: BaseException | None = None
        most = MAX_SECTION if functions else MAX_ANSWER_SECTION
        for _ in range(MAX_CALLBACKS + 1):
            message, size = self._receive(nonce, clock, most)
            kind, content = answer_forms.message(message)
            if kind == "answer":
                if size > MAX_ANSWER_SECTION:
                    raise ProtocolError("an answer beyond the bounds")
                if failure is not None:
                    raise failure
                return dict(content)
            function = functions.get(content["callback"])
            if function is None:
                raise ProtocolError("a callback that was not given")
            args, kwargs = content["args"], content["kwargs"]
            try:
                with within_bounds([*args, *kwargs.values()]):
                    reply = encode(nonce, {"value": function(*args, **kwargs)})
            except TooMuch:
                raise
            except ProtocolError as error:  # the answer of our own function is too large
                raise TooMuch(str(error)) from None
            except Exception as error:
                failure = error
                reply = encode(nonce, {})
            self._send(reply, clock)
        raise ProtocolError(f"more than {MAX_CALLBACKS:,} callbacks")

    def _refuse_early_bytes(self) -> None:
        """Nobody has asked: whatever has arrived is an answer prepared for a later question."""
        try:
            early = self._channel.recv(1)
        except BlockingIOError:
            return
        except OSError:
            raise _Ended from None
        if not early:
            raise _Ended
        raise ProtocolError("bytes that nobody asked for")

    def _send(self, frame: bytes, clock: RequestClock) -> None:
        view = memoryview(frame)
        while view:
            try:
                view = view[self._channel.send(view[:_CHUNK]) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, clock)
            except OSError:
                raise _Ended from None

    def _receive(self, nonce: bytes, clock: RequestClock, most: int) -> tuple[Any, int]:
        """One frame, and how large its tensors are: `most` bytes, or it is refused.

        Memory grows with what has arrived, never with what a header promises.
        """
        buffer = bytearray()
        self._fill(buffer, HEADER_SIZE, clock)
        _, text, section = decode_header(bytes(buffer[:HEADER_SIZE]), nonce, most)
        end = HEADER_SIZE + text + section
        self._fill(buffer, end, clock)
        if len(buffer) > end:
            raise ProtocolError("bytes after the frame")
        first = bytes(buffer[HEADER_SIZE : HEADER_SIZE + text])
        del buffer[: HEADER_SIZE + text]
        second = bytes(buffer)
        del buffer  # which may hold as much as the tensors that are made next
        return decode_body(first, second), section

    def _fill(self, buffer: bytearray, size: int, clock: RequestClock) -> None:
        while len(buffer) < size:
            self._wait(select.POLLIN, clock)  # bytes that trickle in buy no time
            try:
                part = self._channel.recv(max(_FIRST, min(size - len(buffer), _CHUNK)))
            except BlockingIOError:
                continue
            except OSError:
                raise _Ended from None
            if not part:
                raise _Ended
            buffer += part

    def _wait(self, event: int, clock: RequestClock) -> None:
        poll = self._reading if event == select.POLLIN else self._writing
        while not poll.poll(1000 * clock.left()):
            pass


def _place_of(answer: dict[str, Any]) -> tuple[str, int, str] | None:
    """The last of the learner's lines in an answer that came too late."""
    frames = answer.get("error", {}).get("frames", ())
    return (frames[-1]["label"], frames[-1]["line"], frames[-1]["source"]) if frames else None


def _told(seconds: float) -> str:
    return "1 second" if seconds == 1 else f"{seconds:g} seconds"
