"""Keeps jobs busy and replaces those that die; knows no gradebook and no mark."""

import json
import os
import queue
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .job_process import Job
from .messages import NoIsolation, Setup, Task, TaskResult, answer_from_json

_AHEAD = 2  # tasks that a job holds: the one it marks, and the next
_SHARING = 8  # jobs; among more, telling all of them everything costs more than it saves
_MAX_DEATHS = 3  # of jobs that held one and the same task
_MAX_IN_A_ROW = 8  # deaths without any answer between them


class JobsFail(Exception):
    """Jobs end as soon as they begin: nothing can be marked on this machine as it is."""


class Pool:
    """Jobs that mark for one setup, each with an examiner; their workers share one sandbox."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._size = size
        self._setup = setup
        self._jobs: list[Job] = []
        self._said: queue.SimpleQueue[tuple[Job, str]] = queue.SimpleQueue()
        self._waiting: Iterator[Task] = iter(())
        self._left = 0  # of those that wait
        self._again: deque[Task] = deque()
        self._deaths: dict[str, int] = {}
        self._in_a_row = 0

    def close(self) -> None:
        """End all jobs, whatever they are at."""
        for job in self._jobs:
            job.end()
        self._jobs = []

    def run(self, tasks: Iterable[Task], count: int = 1) -> Iterator[TaskResult]:
        """Every task's answer, in the order in which they come.

        A task whose job dies (killed, out of memory) is given to another one; when that happens to
        it again and again, its answer says so. Raises JobsFail where no job lives to answer
        anything, and NoIsolation.
        """
        if not hasattr(os, "fork"):  # Windows, where no job could make a worker
            from ..wall.isolation_layers import available

            raise NoIsolation(available().why_not)
        self._waiting = iter(tasks)
        for job in self._jobs:
            if job.is_here:
                self._feed(job, most=1)
        self._left = count
        self._start(min(self._size, self._left))
        while any(job.tasks for job in self._jobs):
            job, line = self._said.get()
            if job not in self._jobs:
                continue
            if line and not job.is_here:
                job.begin(json.loads(line))
                self._feed(job, most=1)
            elif line:
                self._in_a_row = 0
                self._deaths.pop(job.tasks.popleft().learner, None)
                self._feed(job)  # first of all, so that it never waits
                data = json.loads(line)
                self._share(job, data.get("fresh", ()))
                yield answer_from_json(data)
            elif not job.is_here:
                self._drop(job)  # there was no room to become this one too
            else:
                yield from self._replace(job)

    def _start(self, jobs: int) -> None:
        """As many as are missing, one process at first, which starts while tasks are made."""
        missing = jobs - len(self._jobs)
        if missing <= 0:
            return
        first, *others = (Job(self._said) for _ in range(missing))
        first.start(self._setup, others)
        self._jobs += [first, *others]
        if (task := self._next()) is not None:
            first.give(task)

    def _feed(self, job: Job, most: int = _AHEAD) -> None:
        while len(job.tasks) < most:
            task = self._next()
            if task is None:
                return
            job.give(task)

    def _next(self) -> Task | None:
        if self._again:
            return self._again.popleft()
        self._left = max(0, self._left - 1)
        return next(self._waiting, None)

    def _replace(self, job: Job) -> Iterator[TaskResult]:
        """Replace a job that has died; its tasks go to others."""
        words = job.exit_error()
        self._drop(job)
        for other in job.others:
            if other in self._jobs and not other.is_here:
                self._drop(other)  # it would have been a fork of the one that has died
        self._in_a_row += 1
        if self._in_a_row >= _MAX_IN_A_ROW:
            raise JobsFail(f"the processes that mark end by themselves: {words}")
        for place, task in enumerate(job.tasks):
            deaths = self._deaths.get(task.learner, 0) + (place == 0)
            self._deaths[task.learner] = deaths
            if deaths >= _MAX_DEATHS:
                message = f"the process that marked it ended {deaths} times ({words})"
                yield TaskResult(task.learner, failed=message)
            else:
                self._again.append(task)
        self._start(min(self._size, len(self._jobs) + len(self._again) + self._left))

    def _share(self, job: Job, fresh: Sequence[Any]) -> None:
        """Tell the others what a job has marked: each code is marked once, not once in each job."""
        if 1 < self._size <= _SHARING:
            encoded = [json.dumps(each) for each in fresh]
            for other in self._jobs:
                if other is not job and other.is_here:
                    other.fresh.extend(encoded)

    def _drop(self, job: Job) -> None:
        self._jobs.remove(job)
        job.end()
