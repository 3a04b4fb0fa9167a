"""One job as its pool sees it: gives it tasks, reads its answers, ends it; knows no mark."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import asdict
from typing import IO, Any

from .messages import Setup, Task

# Characters of marks beside a task: what a job does not read at once must fit into its socket.
_MOST_CHARACTERS = 30_000


class Job:
    """One process that marks; its words arrive in the pool's queue, at its end an empty line.

    One job is started, and its process becomes the others too; those are here once they say so.
    """

    def __init__(self, said: queue.SimpleQueue[tuple[Job, str]]) -> None:
        self.tasks: deque[Task] = deque()
        self.is_here = False
        self.others: tuple[Job, ...] = ()  # that this process is to become too
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `end`)
        # Marks that other jobs have made, as JSON, to be told with the next task.
        self.fresh: deque[str] = deque(maxlen=100)
        self._said = said
        self._ours, self._theirs = socket.socketpair()
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = self._pidfd = -1
        self._reader = threading.Thread(target=self._listen, daemon=True)

    def start(self, setup: Setup, others: Sequence[Job]) -> None:
        """Start the process, which is to become the others."""
        self.is_here, self.others = True, tuple(others)
        jobs = (self, *others)
        places = [end.fileno() for job in jobs for end in (job._theirs, job.errors)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grader.cohort.job", *map(str, places)],
            stdin=subprocess.DEVNULL,
            stdout=self.errors,
            stderr=self.errors,
            pass_fds=places,
            start_new_session=True,
        )
        for job in jobs:
            job._theirs.close()
            job._reader.start()
        self._tell(asdict(setup))

    def begin(self, message: dict[str, Any]) -> None:
        """It has said that it is there, and which process it is."""
        self.is_here = True
        self._pid = message["here"]
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # it is gone already
                self._pidfd = os.pidfd_open(self._pid)

    def give(self, task: Task) -> None:
        """Hand over a task, and the latest marks of others."""
        self.tasks.append(task)
        copies: list[str] = []
        room = _MOST_CHARACTERS
        while self.fresh and (room := room - len(self.fresh[-1])) > 0:
            copies.append(self.fresh.pop())
        self.fresh.clear()
        self._tell({**asdict(task), "copies": copies})

    def exit_error(self) -> str:
        """The last line of its standard error."""
        self.errors.seek(0)
        lines = self.errors.read()[-10_000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "without a word"

    def end(self) -> None:
        """End the process, and the sandbox with it; one that has not begun yet ends itself."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(OSError):  # a fork is nobody's child here
            if self._pidfd >= 0:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            elif self._pid >= 0 and not hasattr(os, "pidfd_open"):
                os.kill(self._pid, signal.SIGKILL)
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._ours.close()
        self.errors.close()

    def _tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # that it has died shows in what it says
            self._ours.sendall(json.dumps(message).encode("ascii") + b"\n")

    def _listen(self) -> None:
        with contextlib.suppress(OSError), self._ours.makefile("rb") as stream:
            for line in stream:
                if line.endswith(b"\n"):  # else it was killed amid what it said
                    self._said.put((self, line.decode("ascii")))
        self._said.put((self, ""))
