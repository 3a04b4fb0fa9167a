"""The service's HTTP side: who asks, how often, how much; each learner sees their own alone."""

import asyncio
import base64
import binascii
import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from ..candidate.message import known
from ..candidate.records import mark_to_json
from ..cohort.messages import Marking
from ..curriculum.syllabus import syllabus
from ..gradebook.notes import Meanwhile, NotTaken
from ..gradebook.store import GradebookError
from .bodies import Body, body_of
from .connections import InItsPlace
from .hand_forms import MAX_FORM, read_form
from .hub import HubUsers
from .ledger import MOST_BYTES, MOST_KEPT, Ledger, NotKept, Receipt, TooManyHandedIn
from .live_report import LiveReport
from .markers import Markers, MarkingFailed
from .refusal import HEADERS, Refusal
from .requests import MAX_REQUEST, request_of, task_of
from .turns import OneEach, RateLimit

MAX_CHECK = 2_000_000  # bytes of a check
MAX_HAND_IN = 20_000_000
_HAND_INS_A_MINUTE = 6
_LOOKS_A_MINUTE = 30  # at what one has handed in
_KEPT_AT_ONCE = 4  # hand-ins in memory
_AT_REPORT = 2  # threads that wait for the report, so that nobody else waits for a thread
_ZIP = b"PK"
_NOT_MARKED = (
    "The checker itself could not mark this. Try again; if it stays so, tell your instructor."
)
_CARRIED = "What it is built on has a mistake, and has not been handed out to be checked."
_TOO_MUCH = (
    f"The checker keeps {MOST_KEPT} hand-ins of a learner, {MOST_BYTES / 1e6:g} MB in all, and "
    "this would be more. What you handed in last counts; tell your instructor if it should not."
)
_FULL = (
    "The checker's disk is full, so nothing of this was kept. Your earlier receipts hold. Tell "
    "your instructor, and try again when there is room."
)
_FAILING = (
    "The checker cannot use its disk at the moment, so nothing of this was kept. Your earlier "
    "receipts hold. Try again in a minute; if it stays so, tell your instructor."
)
_LOG = logging.getLogger(__name__)

# What a page of the report may do: show what it carries.
_PAGES = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

T = TypeVar("T")
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
        chapters: Collection[str] = (),
    ) -> None:
        """`hub`: JupyterHub, whose users may ask beside those who have a token of ours.

        `chapters` alone are checked; all where none is named.
        """
        self._chapters = chapters or syllabus().chapters
        self._store = store
        self._live = report
        self._hub = hub
        self._markers = Markers(pools)
        self._checks = RateLimit(checks_a_minute)
        self._hand_ins = RateLimit(_HAND_INS_A_MINUTE)
        self._looks = RateLimit(_LOOKS_A_MINUTE)
        self._checks_arriving, self._hand_ins_arriving = OneEach(), OneEach()
        self._leaving = OneEach()
        self._keeping = asyncio.Semaphore(_KEPT_AT_ONCE)
        self._at_report = ThreadPoolExecutor(_AT_REPORT, thread_name_prefix="report")

    def app(self) -> Starlette:
        """The ASGI application."""
        routes = [
            Route("/check", self._for_learners(self._check), methods=["POST"]),
            Route("/submit", self._for_learners(self._submit), methods=["POST"]),
            Route("/mine", self._for_learners(self._mine), methods=["GET"]),
            Route("/look-again", self._for_learners(self._look_again), methods=["POST"]),
            Route("/report/hand", self._by_hand, methods=["POST"]),
            Route("/report/{page:path}", self._report, methods=["GET"]),
        ]
        prefix = self._hub.prefix if self._hub else ""
        return Starlette(routes=[Mount(prefix, routes=routes)], lifespan=self._life)

    @asynccontextmanager
    async def _life(self, _: Starlette) -> AsyncIterator[None]:
        async with self._markers:
            yield
        # Whoever still writes pages needs the folder that they lie in, which goes next.
        await asyncio.to_thread(self._at_report.shutdown, cancel_futures=True)
        if self._hub:
            self._hub.close()

    def _for_learners(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Find out who asks before a byte of the body is read; every refusal is one sentence."""

        async def answer(request: Request) -> Response:
            try:
                learner = await self._asker(request)
                told = await handler(request, learner)
                return InItsPlace(told, self._leaving.turn(learner))
            except Refusal as refused:
                return refused.response()
            except (NotKept, OSError) as error:
                return _not_kept(error).response()

        return answer

    def _instructor(self, request: Request) -> str | Response:
        """Whose token a browser sends as its password, or what is answered to who has none."""
        try:
            who = self._store.instructor(_password(request)) if self._live else None
        except NotKept as error:
            return PlainTextResponse(str(_not_kept(error)), 503, HEADERS)
        asks = {**HEADERS, "WWW-Authenticate": 'Basic realm="instructors", charset="UTF-8"'}
        return who or PlainTextResponse("The report asks for an instructor's token.", 401, asks)

    async def _by_hand(self, request: Request) -> Response:
        """What an instructor does by a form of the report; the page comes back as it is then."""
        if isinstance(who := self._instructor(request), Response):
            return who
        assert self._live is not None
        try:
            async with body_of(request, MAX_FORM) as body:
                done = read_form(body.read(), who, self._live.key)
            await self._when_written(self._live.do, done)
        except Refusal as error:
            return PlainTextResponse(f"{error}", error.status, HEADERS)
        except Meanwhile as error:
            return PlainTextResponse(f"Nothing was kept: {error}.", 409, HEADERS)
        except GradebookError as error:
            return PlainTextResponse(f"Nothing was kept: {error}.", 400, HEADERS)
        except OSError as error:
            return PlainTextResponse(f"The report cannot be written: {error}.", 503, HEADERS)
        place = done.learner if done.page.startswith("exercises/") else done.exercise
        headers = {**HEADERS, "Location": f"{done.page}#{place}"}
        return Response(status_code=303, headers=headers)

    async def _report(self, request: Request) -> Response:
        """A page of the report for whoever has an instructor's token."""
        if isinstance(who := self._instructor(request), Response):
            return who
        assert self._live is not None
        headers = {**HEADERS, **_PAGES}
        try:
            name = request.path_params["page"] or "index.html"
            page = await self._when_written(self._live.page, name)
        except GradebookError as error:
            return PlainTextResponse(str(error), 503, headers)
        except OSError as error:
            return PlainTextResponse(f"The report cannot be written: {error}.", 503, headers)
        if page is None:
            return PlainTextResponse("The report has no such page.", 404, headers)
        return HTMLResponse(page, headers=headers)

    async def _when_written(self, do: Callable[..., T], *given: Any) -> T:
        """What waits while pages of the report are written, which may take minutes."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._at_report, do, *given)

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
        async with self._checks_arriving.turn(learner), body_of(request, MAX_CHECK) as body:
            task = task_of(learner, body.read())
        (exercise,) = task.exercises
        if syllabus()[exercise].chapter not in self._chapters:
            raise Refusal(403, f"The chapter of {exercise} has not been handed out.")
        try:
            mark = await self._markers.mark(task)
        except MarkingFailed:
            await asyncio.to_thread(self._store.note, learner, exercise, "not marked")
            raise Refusal(503, _NOT_MARKED) from None
        await asyncio.to_thread(self._store.note, learner, exercise, str(mark.verdict))
        if any(syllabus()[name].chapter not in self._chapters for name in mark.carried):
            mark = replace(mark, message=known(_CARRIED))  # what is known of it would be its check
        return {"mark": mark_to_json(mark)}

    async def _submit(self, request: Request, learner: str) -> dict[str, Any]:
        _ask(self._hand_ins, learner)
        async with self._hand_ins_arriving.turn(learner), body_of(request, MAX_HAND_IN) as body:
            if body.read(len(_ZIP)) != _ZIP:
                raise Refusal(400, "What was sent is no zip.")
            async with self._keeping:  # when all has come
                return asdict(await asyncio.to_thread(self._keep, learner, body))

    def _keep(self, learner: str, body: Body) -> Receipt:
        body.seek(0)
        try:
            return self._store.keep(learner, body.read())
        except TooManyHandedIn:
            raise Refusal(429, _TOO_MUCH) from None

    async def _mine(self, _: Request, learner: str) -> dict[str, Any]:
        _ask(self._looks, learner)
        rows = await asyncio.to_thread(self._store.receipts, learner)
        try:
            notes = await asyncio.to_thread(self._live.asked, learner) if self._live else []
        except GradebookError as error:
            _LOG.error("what was asked cannot be told: %s", error)
            notes = []
        told = ("exercise", "kind", "who", "time", "text")
        asked = [{name: getattr(each, name) for name in told} for each in notes]
        return {"learner": learner, "receipts": [asdict(row) for row in rows], "asked": asked}

    async def _look_again(self, request: Request, learner: str) -> dict[str, Any]:
        """Keep a learner's request to look at an answer of their own again."""
        _ask(self._hand_ins, learner)
        async with self._hand_ins_arriving.turn(learner), body_of(request, MAX_REQUEST) as body:
            exercise, text = request_of(body.read())
        if self._live is None:
            raise Refusal(404, "This checker takes no such requests: speak to your instructor.")
        try:
            await self._when_written(self._live.ask, learner, exercise, text)
        except NotTaken as error:
            raise Refusal(409, f"Nothing was kept: {error}.") from None
        except GradebookError as error:
            _LOG.error("a request was not kept: %s", error)
            raise Refusal(503, "Nothing was kept: try again in a minute.", 60.0) from None
        return {"exercise": exercise}


def _not_kept(error: NotKept | OSError) -> Refusal:
    """What a learner is told where the disk is full or fails; the log gets a line."""
    _LOG.error("nothing was kept: %s", error)
    if isinstance(error, OSError):
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    else:
        is_full = error.is_full
    return Refusal(507, _FULL) if is_full else Refusal(503, _FAILING, 60.0)


def _password(request: Request) -> str:
    """What a browser sends as password, whatever the name before it; empty where it sends none."""
    kind, _, sent = request.headers.get("authorization", "").partition(" ")
    try:
        told = base64.b64decode(sent, validate=True).decode() if kind == "Basic" else ""
    except (binascii.Error, ValueError):
        return ""
    return told.partition(":")[2]


def _ask(allowance: RateLimit, learner: str) -> None:
    if wait := allowance.take(learner):
        raise Refusal(429, f"That was too often: try again in {int(wait) + 1} seconds.", wait)
