"""Requests to the checker without a network: bodies, what is no check, whose turn it is."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.requests import Request

from grader.service import bodies
from grader.service.bodies import body_of
from grader.service.refusal import Refusal
from grader.service.requests import task_of
from grader.service.turns import RateLimit, Turns
from tests import virtual_time


def request_of(*parts: bytes, pause: float = 0.0, length: str | None = None) -> Request:
    """A request whose body comes in these parts, with a pause before each."""
    left = list(parts)

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(pause)
        body = left.pop(0) if left else b""
        return {"type": "http.request", "body": body, "more_body": bool(left)}

    headers = [] if length is None else [(b"content-length", length.encode())]
    return Request({"type": "http", "method": "POST", "headers": headers}, receive)


BODIES = [
    ({"length": "1000000000"}, 413),
    ({"length": "-1"}, 413),
    ({"length": "\u0661"}, 413),
    ({"length": "9" * 5000}, 413),
    ({"pause": 2.0}, 408),
]


async def read(request: Request, **bounds: float) -> bytes:
    """What arrives of a body."""
    async with body_of(request, **bounds) as body:  # type: ignore[arg-type]
        return body.read()


@pytest.mark.parametrize(("how", "status"), BODIES)
def test_bodies_that_are_large_or_slow_are_cut(how: dict[str, Any], status: int) -> None:
    with pytest.raises(Refusal) as refused:
        virtual_time.run(read(request_of(b"x", b"y", **how), most=10, seconds=1.0))
    assert refused.value.status == status


def test_a_body_that_comes_too_slowly_is_cut_long_before_its_time_is_over() -> None:
    large, pause = b"x" * 500_000, bodies.SECONDS / 5
    in_time = read(request_of(large, b"y", pause=pause), most=10**6)
    assert virtual_time.run(in_time) == large + b"y"
    with pytest.raises(Refusal) as refused:
        virtual_time.run(read(request_of(b"x", b"y", b"z", pause=pause), most=10))
    assert refused.value.status == 408


@pytest.mark.parametrize("size", [1, 3_000_000])
def test_a_body_within_bounds_is_whole(size: int) -> None:
    first, last = b"x" * size, b"y" * size
    assert asyncio.run(read(request_of(first, last), most=2 * size)) == first + last
    with pytest.raises(Refusal):
        asyncio.run(read(request_of(first, last), most=2 * size - 1))


CELL = {"source": "", "label": "", "notebook": "", "index": 0}
NO_CHECKS: list[Any] = [
    b"",
    b"\xff",
    b"[" * 100_000,
    [],
    {"exercise": "softmax"},
    {"exercise": "softmax", "cells": {}},
    {"exercise": ["softmax"], "cells": []},
    {"exercise": "__init__", "cells": []},
    {"exercise": "softmax", "cells": [None]},
    {"exercise": "softmax", "cells": [{**CELL, "source": None}]},
    {"exercise": "softmax", "cells": [{**CELL, "index": True}]},
    {"exercise": "softmax", "cells": [CELL] * 1_001},
    {"exercise": "softmax", "cells": [{**CELL, "source": "x" * 600_000}]},
]


@pytest.mark.parametrize("sent", NO_CHECKS, ids=range(len(NO_CHECKS)))
def test_what_no_bundle_sends_is_refused(sent: Any) -> None:
    body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    with pytest.raises(Refusal):
        task_of("ada", body)


def test_half_characters_and_huge_numbers_do_no_harm() -> None:
    cell = {**CELL, "source": "\ud800\r\n", "label": "\udcff" * 500, "index": 10**30}
    task = task_of("ada", json.dumps({"exercise": "softmax", "cells": [cell]}).encode())
    assert task.cells[0].source == "\ufffd\n" and len(task.cells[0].label) == 120
    assert task.submission().slice("softmax") is None


def test_learners_are_served_in_turn() -> None:
    async def served() -> list[str]:
        turns: Turns[int] = Turns()
        for learner in ("flood", "flood", "flood", "ada", "grace"):
            turns.put(learner, 0)
        with pytest.raises(Refusal):
            turns.put("flood", 0)
            turns.put("flood", 0)
        order = []
        for _ in range(5):
            learner, _ = await turns.get()
            order.append(learner)
            turns.done(learner)
        return order

    assert asyncio.run(served()) == ["flood", "ada", "grace", "flood", "flood"]


def test_no_learner_is_served_by_two_at_once() -> None:
    async def served() -> str:
        turns: Turns[int] = Turns()
        for learner in ("ada", "ada", "grace"):
            turns.put(learner, 0)
        first, _ = await turns.get()
        second, _ = await turns.get()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(turns.get(), 0.01)
        turns.done(first)
        third, _ = await turns.get()
        return " ".join((first, second, third))

    assert asyncio.run(served()) == "ada grace ada"


def test_an_allowance_fills_up_again() -> None:
    now = [0.0]
    allowance = RateLimit(6, clock=lambda: now[0])
    assert [allowance.take("ada") for _ in range(7)] == [0.0] * 6 + [10.0]
    assert allowance.take("grace") == 0.0
    now[0] = 10.0
    assert allowance.take("ada") == 0.0 and allowance.take("ada") == 10.0
