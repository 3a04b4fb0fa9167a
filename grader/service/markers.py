"""Keeps processes that mark, and hands them one check after the other; knows no request."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Self

from ..candidate.records import Mark
from ..cohort.messages import Marking, Task, first_task
from .turns import Turns


class MarkingFailed(Exception):
    """The grader itself could not mark it."""


class Markers:
    """Checks, each given to one of those that mark; an asynchronous context manager."""

    def __init__(self, pools: Sequence[Marking]) -> None:
        self._pools = pools
        self._turns: Turns[tuple[Task, asyncio.Future[Mark]]] = Turns()
        self._threads = ThreadPoolExecutor(len(pools), thread_name_prefix="marker")
        self._loops: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._loops = [asyncio.create_task(self._serve(pool)) for pool in self._pools]
        return self

    async def __aexit__(self, *_: object) -> None:
        for loop in self._loops:
            loop.cancel()
        for pool in self._pools:
            pool.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def mark(self, task: Task) -> Mark:
        """The mark of the task's one exercise, when it is this learner's turn.

        Raises Refusal where too many of the learner's wait, and MarkingFailed.
        """
        answer: asyncio.Future[Mark] = asyncio.get_running_loop().create_future()
        self._turns.put(task.learner, (task, answer))
        return await answer

    async def _serve(self, pool: Marking) -> None:
        loop = asyncio.get_running_loop()
        with suppress(Exception):  # the first check will say it
            await loop.run_in_executor(self._threads, _mark, pool, first_task())
        while True:
            learner, (task, answer) = await self._turns.get()
            try:
                if answer.cancelled():  # whoever asked has gone
                    continue
                mark = await loop.run_in_executor(self._threads, _mark, pool, task)
                if not answer.done():
                    answer.set_result(mark)
            except Exception as error:
                if not answer.done():
                    answer.set_exception(MarkingFailed(str(error)))
            finally:
                self._turns.done(learner)


def _mark(pool: Marking, task: Task) -> Mark:
    """Raises MarkingFailed, JobsFail, NoIsolation."""
    for answer in pool.run([task]):
        if answer.new is not None:
            return answer.new.entries[0].mark
        raise MarkingFailed(answer.failed)
    raise MarkingFailed("no process answered")
