"""A connection has its time, both ways: who says nothing or takes nothing keeps nobody away."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from grader.service import connections
from tests.test_service_kept import Asked

LARGE = b"x" * 30_000_000  # more than the system takes of what nobody reads


async def _large(_: Request) -> PlainTextResponse:
    return PlainTextResponse(LARGE)


async def _small(_: Request) -> PlainTextResponse:
    return PlainTextResponse("small")


@contextlib.asynccontextmanager
async def served(most: int | None = None) -> AsyncIterator[tuple[str, int]]:
    """Where a server answers that takes `most` connections."""
    app = Starlette(routes=[Route("/large", _large), Route("/small", _small)])
    config = uvicorn.Config(
        *(app,),
        http=connections.Impatient,
        ws="none",
        log_level="error",
        limit_concurrency=most,
        headers=[("Connection", "close")],
    )
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        async with asyncio.timeout(60):
            yield listening.getsockname()[:2]
            server.should_exit = True
            await serving


async def asked(place: tuple[str, int], said: bytes) -> bytes:
    """All that comes back."""
    reader, writer = await asyncio.open_connection(*place)
    writer.write(said)
    answer = await reader.read()
    writer.close()
    return answer


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_TO_BEGIN", 0.05)

    async def said() -> bytes:
        async with served() as place:
            return await asked(place, b"GET / HTTP/1.1\r\nX-Slow: ")

    assert asyncio.run(said()) == b""


def test_who_takes_no_answer_makes_room_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_GRACE", 0.1)

    async def said() -> list[bytes]:
        answers = []
        async with served(most=2) as place:
            with socket.create_connection(place) as silent:
                silent.sendall(get("/large"))
                while not answers or b" 200 " not in answers[-1]:
                    answers.append((await asked(place, get("/small"))).splitlines()[0])
        return answers

    first, *_, last = asyncio.run(said())
    assert b" 503 " in first and b" 200 " in last


def test_who_takes_an_answer_too_slowly_does_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes some, and what it takes earns no time at this rate."""
    monkeypatch.setattr(connections, "_GRACE", 0.1)
    monkeypatch.setattr(connections, "_LEAST", 10**12)

    async def said() -> int:
        async with served() as place:
            loop = asyncio.get_running_loop()
            with socket.socket() as slow:
                slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # no large one grows
                slow.setblocking(False)
                await loop.sock_connect(slow, place)
                await loop.sock_sendall(slow, get("/large"))
                taken = 0
                with contextlib.suppress(ConnectionResetError):
                    while part := await loop.sock_recv(slow, 300):
                        taken += len(part)
        return taken

    assert asyncio.run(said()) < len(LARGE)


def test_who_takes_an_answer_in_time_gets_all_of_it() -> None:
    async def said() -> bytes:
        async with served() as place:
            return await asked(place, get("/large"))

    assert asyncio.run(said()).endswith(b"\r\n\r\n" + LARGE)


async def mine(store: Asked, learner: str, taken: asyncio.Event | None) -> tuple[int, Any]:
    """Status and answer to `/mine`; what comes behind the answer waits until it has been taken."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        if len(sent) == 2 and taken is not None:
            await taken.wait()
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    headers = [(b"authorization", f"Bearer {store.tokens[learner]}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/mine", "query_string": b""}
    await store.app({**scope, "headers": headers}, receive, send)
    return sent[0]["status"], json.loads(b"".join(each["body"] for each in sent[1:]))


def test_one_answer_of_each_learner_is_on_its_way_and_few_wait(tmp_path: Path) -> None:
    store = Asked(tmp_path)

    async def answered() -> list[int]:
        taken = asyncio.Event()
        waiting = [asyncio.create_task(mine(store, "mallory", taken)) for _ in range(5)]
        done, waiting_still = await asyncio.wait(waiting, return_when="FIRST_COMPLETED")
        refused = [each.result()[0] for each in done]
        others = [(await mine(store, "ada", None))[0]]
        assert not any(each.done() for each in waiting_still)
        taken.set()
        late = [(await each)[0] for each in waiting_still]
        return refused + others + late + [(await mine(store, "mallory", None))[0]]

    assert asyncio.run(answered()) == [429, 200, 200, 200, 200, 200, 200]
    store.close()


def test_who_looks_too_often_waits_and_nobody_else(tmp_path: Path) -> None:
    store = Asked(tmp_path)

    async def answered() -> list[int]:
        looks = [(await mine(store, "mallory", None))[0] for _ in range(100)]
        return [*looks, (await mine(store, "ada", None))[0]]

    *own, another = asyncio.run(answered())
    assert own[:20] == [200] * 20 and own[-1] == 429 and another == 200
    store.close()
