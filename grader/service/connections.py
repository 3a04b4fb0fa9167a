"""Bounds how long one connection may take, both ways; knows nothing of what is asked.

A request's body has bounds of its own, in `bodies.py`.
"""

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from .refusal import HEADERS, Refusal

_TO_BEGIN = 10.0  # until a connection has sent the head of a request
_TO_TAKE = 120.0  # seconds for a whole answer
_GRACE, _LEAST = 5.0, 10_000  # seconds in which nothing need be taken, then bytes a second


class Impatient(H11Protocol):
    """Closes a connection that does not say in time what it wants, or does not take its answer."""

    _watch: asyncio.TimerHandle | None = None
    _began, _left, _taken = 0.0, 0, 0  # of what the system would not take at once

    def connection_made(self, transport: Any) -> None:
        """Begin to count the time within which a request must begin."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # it pauses as soon as anything is left
        self.loop.call_later(_TO_BEGIN, self._close_if_idle)

    def pause_writing(self) -> None:
        """Begin to count the time within which the answer must be taken."""
        super().pause_writing()
        self._began, self._taken = self.loop.time(), 0
        self._left = self.transport.get_write_buffer_size()
        self._look()

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count no more."""
        super().connection_lost(exc)
        self._forget()

    def _look(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._taken += max(0, self._left - left)
        self._left = left
        until = self._began + min(_TO_TAKE, _GRACE + self._taken / _LEAST)
        if self.loop.time() >= until:
            self.transport.abort()  # `close` would wait for whoever takes nothing
        else:
            self._watch = self.loop.call_at(until, self._look)

    def _forget(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _close_if_idle(self) -> None:
        is_idle = getattr(self, "cycle", None) is None  # until the head of a request has come
        if is_idle:
            self.transport.close()


class InItsPlace(JSONResponse):
    """An answer that holds a place from when it is sent until it has been taken."""

    def __init__(self, content: Any, place: AbstractAsyncContextManager[None]) -> None:
        super().__init__(content, headers=HEADERS)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, when it is its turn."""

        async def until_taken(message: Message) -> None:
            if message["type"] == "http.response.body":
                await send({**message, "more_body": True})
                message = {"type": "http.response.body", "body": b""}
            await send(message)  # which waits while anything before it is left

        try:
            async with self._place:
                await super().__call__(scope, receive, until_taken)
        except Refusal as refused:  # of the place, so nothing has been sent
            await refused.response()(scope, receive, send)
