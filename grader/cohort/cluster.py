"""Marks a class on a Dask cluster: batches travel, marks come back; writes no gradebook."""

import atexit
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

from distributed import Client, Future, KilledWorker, as_completed

from ..curriculum.complaint import Complaint
from .keys import content_of, judging_digest
from .messages import (
    REFUSALS,
    Setup,
    Task,
    TaskResult,
    answer_from_json,
    answer_to_json,
    refusal_to_json,
)
from .pool import Pool
from .task_marking import read_in_time

_BATCH = 4  # submissions: some tenths of a second, few enough to lose with a worker
_AHEAD = 2  # batches for each thread of the cluster
_MAX_DEATHS = 3  # of workers that held one and the same submission

_idle: dict[str, list[Pool]] = {}  # on a cluster's worker: jobs that wait, by settings
_lock = threading.Lock()


class ClusterPool:
    """The workers of a Dask scheduler, each with examiners behind its own walls.

    Submissions are read here and travel as text, so workers need no file system in common. Workers
    may die and others may join while it runs.
    """

    def __init__(self, address: str, setup: Setup) -> None:
        self._address = address
        self._setup = setup
        self._client: Client | None = None

    def run(self, tasks: Iterable[Task], count: int = 1) -> Iterator[TaskResult]:
        """Every task's answer; raises Complaint, and what Dask raises."""
        try:
            client = self._client = self._client or Client(self._address, set_as_default=False)
            yield from _Run(client, self._setup).answers(tasks)
        except Exception:  # the next task finds the cluster anew
            self.close()
            raise

    def close(self) -> None:
        """Leave the cluster."""
        if self._client is not None:
            self._client.close()
            self._client = None


class _Run:
    def __init__(self, client: Client, setup: Setup) -> None:
        self._client = client
        self._setup = setup
        self._known: deque[TaskResult] = deque()  # needed no marking
        self._deaths: dict[str, int] = {}
        self._sent: dict[str, list[Task]] = {}  # by the future's key

    def answers(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        waiting = self._to_mark(tasks)
        done = as_completed(loop=self._client.loop)
        while True:
            threads = sum(self._client.nthreads().values())  # as of now: workers come and go
            room = max(1, threads * _AHEAD)
            while len(self._sent) < room and (batch := list(islice(waiting, _BATCH))):
                done.add(self._send(batch))
            while self._known:
                yield self._known.popleft()
            if not self._sent:
                return
            future = next(done)
            batch = self._sent.pop(str(future.key))
            try:
                # What a worker had computed and took with it when it died is computed once more.
                found = future.result()
            except KilledWorker as error:
                for again in self._after(error, batch):
                    done.add(again)
            else:
                yield from map(answer_from_json, found)
            future.release()

    def _to_mark(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Tasks with their content; those that are up to date stay here."""
        for task in tasks:
            try:
                read = read_in_time(task)  # a worker looks at the rest
            except Exception as error:  # what reads it was ended, say, for its memory
                self._known.append(TaskResult.of_error(task.learner, error))
                continue
            current = (content_of(read), self._setup.settings)
            if task.known and (task.known.content, task.known.settings) == current:
                self._known.append(TaskResult(task.learner))
            else:
                yield replace(task, path="", cells=read.cells, problems=read.problems)

    def _send(self, batch: list[Task]) -> Future:
        setup, tasks = asdict(self._setup), [asdict(task) for task in batch]
        future = self._client.submit(mark_batch, setup, tasks, pure=False)
        self._sent[str(future.key)] = batch
        return future

    def _after(self, error: KilledWorker, batch: list[Task]) -> Iterator[Future]:
        """A batch that killed every worker it came to goes again, each submission alone."""
        for task in batch:
            deaths = self._deaths[task.learner] = self._deaths.get(task.learner, 0) + 1
            if deaths >= _MAX_DEATHS:
                self._known.append(TaskResult(task.learner, failed=f"workers died of it ({error})"))
            else:
                yield self._send([task])


def mark_batch(setup: dict[str, Any], tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a cluster's worker does: the answers to some tasks, as JSON values both."""
    wanted = Setup(**setup)
    pool = _take(wanted)
    try:
        found = [*map(answer_to_json, pool.run(map(Task.from_json, tasks), len(tasks)))]
    except REFUSALS as refused:
        pool.close()
        return [refusal_to_json(refused)]
    except BaseException:
        pool.close()
        raise
    with _lock:
        _idle.setdefault(wanted.settings, []).append(pool)
    return found


def _take(setup: Setup) -> Pool:
    """A pool of one job that nobody uses; those of earlier runs end."""
    with _lock:
        for settings in [each for each in _idle if each != setup.settings]:
            for pool in _idle.pop(settings):
                pool.close()
        waiting = _idle.setdefault(setup.settings, [])
        if waiting:
            return waiting.pop()
    if judging_digest() != setup.judging:
        raise Complaint(
            "a worker of the cluster has another version of the grader, of Python or of a package "
            "that it judges with (such as PyTorch or NumPy); install the same on every machine"
        )
    return Pool(1, setup)


@atexit.register
def _end_all() -> None:
    for pools in _idle.values():
        for pool in pools:
            pool.close()
