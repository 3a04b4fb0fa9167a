"""Reads a request's body within bounds of size and time; knows nothing of what is in it."""

import asyncio
from typing import Any

from starlette.requests import ClientDisconnect, Request
from uvicorn.protocols.http.h11_impl import H11Protocol

from .refusal import Refusal

SECONDS = 20.0  # for a whole body
_TO_BEGIN = 10.0  # until a connection has sent the head of a request


async def body_of(request: Request, most: int, seconds: float = SECONDS) -> bytes:
    """The whole body; raises Refusal before more than `most` bytes are held."""
    too_large = Refusal(413, f"That is more than {most / 1e6:g} MB.")
    declared = request.headers.get("content-length", "0")
    if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
        raise too_large
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise too_large
                parts.append(part)
    except TimeoutError:
        raise Refusal(408, "What you sent came too slowly; try again.") from None
    except ClientDisconnect:
        raise Refusal(400, "The connection was closed.") from None
    return b"".join(parts)


class Impatient(H11Protocol):
    """Closes a connection that does not say in time what it wants."""

    def connection_made(self, transport: Any) -> None:
        """Begin to count the time within which a request must begin."""
        super().connection_made(transport)
        self.loop.call_later(_TO_BEGIN, self._close_if_idle)

    def _close_if_idle(self) -> None:
        is_idle = getattr(self, "cycle", None) is None  # until the head of a request has come
        if is_idle:
            self.transport.close()
