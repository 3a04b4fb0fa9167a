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
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import IO, Any

from .messages import Setup, Task

# Characters of marks beside a task: what a job does not read at once must fit into its pipe.
_MOST_CHARACTERS = 30_000


class Job(ABC):
    """One process that marks; its words arrive in the pool's queue, at its end an empty line."""

    def __init__(self, said: queue.SimpleQueue[tuple[Job, str]]) -> None:
        self.tasks: deque[Task] = deque()
        self.is_here = False
        self.others: tuple[Job, ...] = ()  # that this process is to become too
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `end`)
        self._said = said
        self._fresh: deque[str] = deque(maxlen=100)
        self._reader: threading.Thread | None = None

    @abstractmethod
    def end(self) -> None:
        """End the process, and the sandbox with it."""

    @abstractmethod
    def _tell(self, line: bytes) -> None:
        """Write to it; that it has died shows in what it says."""

    def begin(self, message: dict[str, Any]) -> None:
        """It has said that it is there."""
        self.is_here = True

    def hear_of(self, fresh: Sequence[str]) -> None:
        """Marks that another job has made, as JSON, to be told with the next task."""
        self._fresh.extend(fresh)

    def give(self, task: Task) -> None:
        """Hand over a task, and the latest marks of others."""
        self.tasks.append(task)
        copies: list[str] = []
        room = _MOST_CHARACTERS
        while self._fresh and (room := room - len(self._fresh[-1])) > 0:
            copies.append(self._fresh.pop())
        self._fresh.clear()
        line = json.dumps({**asdict(task), "copies": copies})
        self._tell(line.encode("ascii") + b"\n")

    def last_words(self) -> str:
        """The last line of its standard error."""
        self.errors.seek(0)
        lines = self.errors.read()[-10_000:].decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "without a word"

    def _hear(self, stream: Iterable[bytes]) -> None:
        def listen() -> None:
            with contextlib.suppress(OSError):  # killed amid what it said
                for line in stream:
                    if line.endswith(b"\n"):
                        self._said.put((self, line.decode("ascii")))
            self._said.put((self, ""))

        self._reader = threading.Thread(target=listen, daemon=True)
        self._reader.start()

    def _close(self, streams: Iterable[IO[bytes] | socket.socket | None]) -> None:
        if self._reader is not None:
            self._reader.join()
        for stream in (*streams, self.errors):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was still to be written to it
                    stream.close()


class ParentJob(Job):
    """The process that the run starts; it becomes the others too."""

    def __init__(
        self,
        setup: Setup,
        said: queue.SimpleQueue[tuple[Job, str]],
        others: Sequence[ForkedJob],
        cores: Sequence[int],
    ) -> None:
        """`cores`: one that each job keeps to, or none."""
        super().__init__(said)
        self.is_here, self.others = True, tuple(others)
        numbers = [number for other in others for number in other.place()]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grader.cohort.job", *map(str, numbers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            pass_fds=numbers,
            start_new_session=True,
        )
        for other in others:
            other.hand_over()
        start = {"setup": asdict(setup), "cores": list(cores)}
        self._tell(json.dumps(start).encode("ascii") + b"\n")
        assert self._process.stdout is not None
        self._hear(self._process.stdout)

    def end(self) -> None:
        """End the process, and the sandbox with it."""
        self._process.kill()
        self._process.wait()
        self._close((self._process.stdin, self._process.stdout))

    def _tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(line)
            self._process.stdin.flush()


class ForkedJob(Job):
    """A fork of the parent, from when it says that it is there."""

    def __init__(self, said: queue.SimpleQueue[tuple[Job, str]]) -> None:
        super().__init__(said)
        self._ours, self._theirs = socket.socketpair()
        self._pid = self._pidfd = -1

    def place(self) -> tuple[int, int]:
        """Its end of the socket, and where it complains; for the parent to inherit."""
        return self._theirs.fileno(), self.errors.fileno()

    def hand_over(self) -> None:
        """The parent has its place."""
        self._theirs.close()
        self._hear(self._ours.makefile("rb"))

    def begin(self, message: dict[str, Any]) -> None:
        """It has said that it is there, and which process it is."""
        super().begin(message)
        self._pid = message["here"]
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):  # it is gone already
                self._pidfd = os.pidfd_open(self._pid)

    def end(self) -> None:
        """End the process, which is nobody's child here; one that has not begun yet ends itself."""
        with contextlib.suppress(OSError):
            if self._pidfd >= 0:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
            elif self._pid >= 0 and not hasattr(os, "pidfd_open"):
                os.kill(self._pid, signal.SIGKILL)
        if self._pidfd >= 0:
            os.close(self._pidfd)
            self._pidfd = -1
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._close((self._ours,))

    def _tell(self, line: bytes) -> None:
        with contextlib.suppress(OSError):
            self._ours.sendall(line)
