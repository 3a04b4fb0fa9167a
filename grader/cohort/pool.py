"""Keeps jobs busy and replaces those that die; knows no gradebook and no mark."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from operator import length_hint
from typing import IO

from .messages import Answer, Setup, Task, answer_from_json

_AHEAD = 2  # tasks that a job holds: the one it marks, and the next
# Jobs that start together: each needs two cores for that, its own and its zygote's. The others
# start once these mark, if there is enough left to mark.
_AT_ONCE = max(1, (os.cpu_count() or 1) // 2)
_MANY = 1_000_000  # tasks, where nobody knows how many there are
_MAX_DEATHS = 3  # of jobs that held one and the same task
_MAX_IN_A_ROW = 8  # deaths without any answer between them


class JobsFail(Exception):
    """Jobs end as soon as they begin: nothing can be marked on this machine as it is."""


class Job:
    """One process that marks; what it says arrives in the pool's queue."""

    def __init__(self, setup: Setup, said: queue.SimpleQueue[tuple[Job, str]]) -> None:
        self.tasks: deque[Task] = deque()
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `end`)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grader.cohort.job"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        self._tell(json.dumps(asdict(setup)))
        self._reader = threading.Thread(target=self._listen, args=[said], daemon=True)
        self._reader.start()

    def give(self, task: Task) -> None:
        """Hand over a task; that the job is gone shows in what it says: an empty line."""
        self.tasks.append(task)
        self._tell(json.dumps(task.to_json()))

    def last_words(self) -> str:
        """The last line of its standard error."""
        self._errors.seek(0)
        lines = self._errors.read()[-10_000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with status {self.process.returncode}"

    def end(self) -> None:
        """End the process, and the sandbox with it."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self._errors):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what was still to be written to it
                    continue

    def _tell(self, line: str) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line.encode("ascii") + b"\n")
            self.process.stdin.flush()
        except OSError:  # it has died, which the reader reports
            return

    def _listen(self, said: queue.SimpleQueue[tuple[Job, str]]) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.endswith(b"\n"):
                said.put((self, line.decode("ascii")))
        said.put((self, ""))


def answers(tasks: Iterable[Task], jobs: int, setup: Setup) -> Iterator[Answer]:
    """Every task's answer, in the order in which they come; see Pool."""
    with Pool(jobs, setup) as pool:
        yield from pool.run(tasks)


class Pool:
    """Jobs that mark for one setup; a context manager that ends them."""

    def __init__(self, size: int, setup: Setup) -> None:
        self._size = size
        self._setup = setup
        self._jobs: list[Job] = []
        self._said: queue.SimpleQueue[tuple[Job, str]] = queue.SimpleQueue()
        self._waiting: Iterator[Task] = iter(())
        self._expected = self._answered = 0
        self._began = self._first = 0.0  # when the run did, and when the first answer came
        self._again: deque[Task] = deque()
        self._deaths: dict[str, int] = {}
        self._in_a_row = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all jobs, whatever they are at."""
        for job in self._jobs:
            job.end()
        self._jobs = []

    def run(self, tasks: Iterable[Task]) -> Iterator[Answer]:
        """Every task's answer, in the order in which they come.

        A task whose job dies (killed, out of memory) is given to another one; when that happens to
        it again and again, its answer says so. Raises JobsFail where no job lives to answer
        anything, and NoIsolation.
        """
        self._waiting = iter(tasks)
        self._expected = length_hint(tasks, _MANY)
        self._began, self._answered = time.monotonic(), 0
        for job in self._jobs:
            self._feed(job, most=1)
        while len(self._jobs) < min(self._size, _AT_ONCE) and self._hire():
            continue
        while any(job.tasks for job in self._jobs):
            job, line = self._said.get()
            if line:
                self._in_a_row = 0
                self._answered += 1
                if self._answered == 1:
                    self._first = time.monotonic()
                self._deaths.pop(job.tasks.popleft().learner, None)
                self._feed(job)  # first of all, so that it never waits
                if len(self._jobs) < self._size and self._another_pays():
                    self._hire()
                yield answer_from_json(json.loads(line))
            elif job in self._jobs:
                yield from self._bury(job)

    def _another_pays(self) -> bool:
        """Whether what is left takes longer than a job needs to start, as far as can be told."""
        if self._answered < 2:
            return False
        each = (time.monotonic() - self._first) / (self._answered - 1)
        return (self._expected - self._answered) * each > 2 * (self._first - self._began)

    def _hire(self) -> bool:
        """A new job, if there is a task for it."""
        task = self._next()
        if task is None:
            return False
        job = Job(self._setup, self._said)
        self._jobs.append(job)
        job.give(task)
        return True

    def _feed(self, job: Job, most: int = _AHEAD) -> None:
        while len(job.tasks) < most:
            task = self._next()
            if task is None:
                return
            job.give(task)

    def _next(self) -> Task | None:
        return self._again.popleft() if self._again else next(self._waiting, None)

    def _bury(self, job: Job) -> Iterator[Answer]:
        """Replace a job that has died; its tasks go to others."""
        job.process.wait()
        words = job.last_words()
        self._jobs.remove(job)
        job.end()
        self._in_a_row += 1
        if self._in_a_row >= _MAX_IN_A_ROW:
            raise JobsFail(f"the processes that mark end by themselves: {words}")
        for place, task in enumerate(job.tasks):
            deaths = self._deaths.get(task.learner, 0) + (place == 0)
            self._deaths[task.learner] = deaths
            if deaths >= _MAX_DEATHS:
                told = f"the process that marked it ended {deaths} times ({words})"
                yield Answer(task.learner, failed=told)
            else:
                self._again.append(task)
        self._hire()
