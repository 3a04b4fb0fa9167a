"""The service's HTTP side: who asks, how often, how much; each learner sees their own alone."""

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from ..candidate.records import mark_to_json
from ..gradebook.store import GradebookError
from .bodies import body_of
from .hub import HubUsers
from .ledger import Ledger, TooManyHandedIn
from .live_report import LiveReport
from .markers import Markers, Marking, MarkingFailed
from .refusal import Refusal
from .requests import task_of
from .turns import RateLimit

MAX_CHECK = 2_000_000  # bytes of a check
MAX_HAND_IN = 20_000_000
_HAND_INS_A_MINUTE = 6
_HAND_INS_AT_ONCE = 4  # bodies in memory
_ZIP = b"PK"
_NOT_MARKED = (
    "The checker itself could not mark this. Try again; if it stays so, tell your instructor."
)
_HEADERS = {"Cache-Control": "no-store", "Connection": "close", "X-Content-Type-Options": "nosniff"}

# What a page of the report may do: show what it carries.
_PAGES = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

Handler = Callable[[Request, str], Awaitable[dict[str, Any]]]


class CheckerService:
    """Answers for one store with one set of processes that mark."""

    def __init__(
        self,
        store: Ledger,
        pools: Sequence[Marking],
        checks_a_minute: float = 30.0,
        report: LiveReport | None = None,
        hub: HubUsers | None = None,
    ) -> None:
        """`hub`: JupyterHub, whose users may ask beside those who have a token of ours."""
        self._store = store
        self._live = report
        self._hub = hub
        self._markers = Markers(pools)
        self._checks = RateLimit(checks_a_minute)
        self._hand_ins = RateLimit(_HAND_INS_A_MINUTE)
        self._at_once = asyncio.Semaphore(_HAND_INS_AT_ONCE)

    def app(self) -> Starlette:
        """The ASGI application."""
        routes = [
            Route("/check", self._for_learners(self._check), methods=["POST"]),
            Route("/submit", self._for_learners(self._submit), methods=["POST"]),
            Route("/mine", self._for_learners(self._mine), methods=["GET"]),
            Route("/report/{page:path}", self._report, methods=["GET"]),
        ]
        prefix = self._hub.prefix if self._hub else ""
        return Starlette(routes=[Mount(prefix, routes=routes)], lifespan=self._life)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        async with self._markers:
            yield
        if self._hub:
            self._hub.close()

    def _for_learners(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Find out who asks before a byte of the body is read; every refusal is one sentence."""

        async def answer(request: Request) -> Response:
            headers = dict(_HEADERS)
            try:
                learner = await self._asker(request)
                return JSONResponse(await handler(request, learner), headers=headers)
            except Refusal as refused:
                if refused.after:
                    headers["Retry-After"] = str(int(refused.after) + 1)
                return JSONResponse({"error": str(refused)}, refused.status, headers)

        return answer

    async def _report(self, request: Request) -> Response:
        """A page of the report for whoever has the instructors' token, as a browser's password."""
        if self._live is None or not self._store.is_instructor(_password(request)):
            asks = {**_HEADERS, "WWW-Authenticate": 'Basic realm="instructors", charset="UTF-8"'}
            return PlainTextResponse("The report asks for the instructors' token.", 401, asks)
        headers = {**_HEADERS, **_PAGES}
        try:
            name = request.path_params["page"] or "index.html"
            page = await asyncio.to_thread(self._live.page, name)
        except GradebookError as error:
            return PlainTextResponse(str(error), 503, headers)
        if page is None:
            return PlainTextResponse("The report has no such page.", 404, headers)
        return HTMLResponse(page, headers=headers)

    async def _asker(self, request: Request) -> str:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        is_told = kind == "Bearer" and bool(token)
        learner = self._store.owner(token) if is_told else None
        if learner is None and is_told and self._hub:
            return await self._hub.owner(token)
        if learner is None:
            raise Refusal(401, "The checker does not know this token: `grader login` sets another.")
        return learner

    async def _check(self, request: Request, learner: str) -> dict[str, Any]:
        _ask(self._checks, learner)
        task = task_of(learner, await body_of(request, MAX_CHECK))
        (exercise,) = task.exercises
        try:
            mark = await self._markers.mark(task)
        except MarkingFailed:
            await asyncio.to_thread(self._store.note, learner, exercise, "not marked")
            raise Refusal(503, _NOT_MARKED) from None
        await asyncio.to_thread(self._store.note, learner, exercise, str(mark.verdict))
        return {"mark": mark_to_json(mark)}

    async def _submit(self, request: Request, learner: str) -> dict[str, Any]:
        _ask(self._hand_ins, learner)
        async with self._at_once:
            content = await body_of(request, MAX_HAND_IN)
            if not content.startswith(_ZIP):
                raise Refusal(400, "What was sent is no zip.")
            try:
                receipt = await asyncio.to_thread(self._store.keep, learner, content)
            except TooManyHandedIn:
                raise Refusal(429, "You have handed in too often; tell your instructor.") from None
        return asdict(receipt)

    async def _mine(self, _: Request, learner: str) -> dict[str, Any]:
        rows = await asyncio.to_thread(self._store.receipts, learner)
        return {"learner": learner, "receipts": [asdict(row) for row in rows]}


def _password(request: Request) -> str:
    """What a browser sends as the password; empty where it sends none."""
    kind, _, sent = request.headers.get("authorization", "").partition(" ")
    try:
        told = base64.b64decode(sent, validate=True).decode() if kind == "Basic" else ""
    except (binascii.Error, ValueError):
        return ""
    return told.partition(":")[2]


def _ask(allowance: RateLimit, learner: str) -> None:
    if wait := allowance.take(learner):
        raise Refusal(429, f"That was too often: try again in {int(wait) + 1} seconds.", wait)
