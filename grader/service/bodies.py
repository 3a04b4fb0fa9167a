"""Reads a request's body within bounds of size and time; knows nothing of what is in it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import SpooledTemporaryFile

from starlette.requests import ClientDisconnect, Request

from .refusal import Refusal

SECONDS = 20.0  # for a whole body
_GRACE, _LEAST = 5.0, 10_000  # seconds in which nothing need come, then bytes a second
_IN_MEMORY = 1_000_000  # bytes of a body; what is longer lies on the disk until it is whole

Body = SpooledTemporaryFile[bytes]


@asynccontextmanager
async def body_of(request: Request, most: int, seconds: float = SECONDS) -> AsyncIterator[Body]:
    """The whole body as a file at its beginning.

    Raises Refusal before more than `most` bytes are held, and OSError where the disk is full.
    """
    declared = request.headers.get("content-length", "0")
    if not declared.isdigit() or len(declared) > 15 or int(declared) > most:
        raise _too_large(most)
    with SpooledTemporaryFile(_IN_MEMORY) as body:
        await _fill(body, request, most, seconds)
        body.seek(0)
        yield body


async def _fill(body: Body, request: Request, most: int, seconds: float) -> None:
    began, size = asyncio.get_running_loop().time(), 0
    try:
        async with asyncio.timeout(min(seconds, _GRACE)) as limit:
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise _too_large(most)
                limit.reschedule(began + min(seconds, _GRACE + size / _LEAST))
                if size > _IN_MEMORY:  # the others need not wait for the disk
                    await asyncio.to_thread(body.write, part)
                else:
                    body.write(part)
    except TimeoutError:
        raise Refusal(408, "What you sent came too slowly; try again.") from None
    except ClientDisconnect:
        raise Refusal(400, "The connection was closed.") from None


def _too_large(most: int) -> Refusal:
    return Refusal(413, f"That is more than {most / 1e6:g} MB.")
