"""Client of the zygote process: has it fork workers and kill them; knows no requests."""

import json
import math
import secrets
import select
import signal
import socket
import threading
import time
from dataclasses import asdict
from typing import Any, Self

from .limits import Limits, TimeBudget
from .start import Cloned, Source, begin
from .transport import WorkerDied, WorkerTransport

_START_SECONDS = 120.0  # importing PyTorch from a cold disk
_END_SECONDS = 30.0
_MAX_LINE = 2**16
_ENDED = "your code ended its process"
_OF_SUBMISSION = "all that was run and judged of this submission"


class ZygoteDied(Exception):
    """The process that workers are forked from has ended; a new Zygote can take its place."""


class Zygote:
    """A warm sandbox that gives fresh workers; a context manager that ends all of them.

    `isolated=False` is for `--trust-submissions`: plain forks with process limits alone. `limits`
    hold for every worker that is not given its own. Raises ZygoteDied, FileNotFoundError (no
    bubblewrap) or MissingPackage; `isolation_layers.available()` says beforehand what is missing.
    """

    def __init__(
        self, isolated: bool = True, limits: Limits | None = None, source: Source | None = None
    ) -> None:
        """`source` is one that was started before with the same; this waits until it is ready."""
        self._lock = threading.RLock()
        self._ends: dict[int, dict[str, Any]] = {}
        self._unwanted: set[int] = set()
        self._limits: dict[int, Limits] = {}
        self._told: dict[int, float] = {}
        self._buffer = b""
        self._source = source or begin(isolated, limits)
        self._default = self._source.limits
        self.cgroup = self._source.cgroup
        self._control = self._source.control
        try:
            self._hear(time.monotonic() + _START_SECONDS)
            # Find out now, not at the first submission, whether this machine lets workers be.
            with self.worker() as worker:
                nothing = {"exercise": "", "units": [], "harness": ""}
                worker.request("load", nothing, _END_SECONDS)
                worker.end()  # waits, so that nothing of it is left once the zygote is ready
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def worker(
        self, limits: Limits | None = None, shared: TimeBudget | None = None
    ) -> WorkerTransport:
        """A fresh worker that has never seen a learner's code; raises ZygoteDied.

        It spends from `shared` too: the budget of all workers of one submission.
        """
        limits = limits or self._default
        with self._lock:
            number = secrets.randbits(62)  # its code finds it, and is not to know which fork it is
            self._limits[number] = limits
            ours = self._ask({"do": "fork", "id": number, "limits": asdict(limits)})
        budgets = [("all that was asked of it", TimeBudget(limits.total_seconds))]
        if shared is not None:
            budgets.append((_OF_SUBMISSION, shared))
        return WorkerTransport(number, ours, self, limits.wall_seconds, tuple(budgets))

    def clone(self) -> Cloned:
        """Another zygote, forked from this one, for a fork of this process; raises ZygoteDied."""
        with self._lock:
            return Cloned(self._ask({"do": "clone"}), self._default, self.cgroup)

    def leave(self) -> None:
        """Let go of it without ending it, as a fork does of what its parent goes on using."""
        self._control.close()

    def end(self, number: int) -> WorkerDied:
        """Kill a worker, wait until nothing of it is left, and say how it ended."""
        with self._lock:
            self._tell({"do": "end", "id": number})
            deadline = time.monotonic() + _END_SECONDS
            while number not in self._ends:
                self._hear(deadline)
            return _how_it_ended(self._ends.pop(number), self._limits.pop(number))

    def delayed(self, number: int) -> float:
        """Seconds that a worker has waited for a processor so far; 0 where nobody counts them."""
        return self._answer({"do": "delayed", "id": number})

    def ring(self, number: int) -> None:
        """Have a worker say where it is; on return it has been told."""
        self._answer({"do": "ring", "id": number})

    def _answer(self, message: dict[str, Any]) -> float:
        with self._lock:
            self._tell(message)
            deadline = time.monotonic() + _END_SECONDS
            while message["id"] not in self._told:
                self._hear(deadline)
            return self._told.pop(message["id"])

    def discard(self, number: int) -> None:
        """Have a worker killed without waiting for it."""
        with self._lock:
            self._limits.pop(number, None)
            self._unwanted.add(number)
            try:
                self._tell({"do": "end", "id": number})
                while select.select([self._control], [], [], 0)[0]:
                    self._hear(math.inf)
            except ZygoteDied:
                return  # and the worker with it

    def close(self) -> None:
        """End the zygote and with it every worker."""
        self._source.close()

    def _ask(self, message: dict[str, Any]) -> socket.socket:
        """Our end of a new socket, whose other end goes with the message."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                self._tell(message, theirs)
            except ZygoteDied:
                ours.close()
                raise
        return ours

    def _tell(self, message: dict[str, Any], channel: socket.socket | None = None) -> None:
        line = json.dumps(message).encode() + b"\n"
        try:
            if channel is None:
                self._control.sendall(line)
            else:
                socket.send_fds(self._control, [line], [channel.fileno()])
        except OSError:
            raise self._exit_error() from None

    def _hear(self, deadline: float) -> None:
        """Take in the zygote's next words."""
        left = None if deadline == math.inf else max(0.0, deadline - time.monotonic())
        if not select.select([self._control], [], [], left)[0]:
            self._source.kill()
            raise ZygoteDied("the zygote did not answer in time and was ended")
        try:
            data = self._control.recv(_MAX_LINE)
        except OSError:
            data = b""
        if not data:
            raise self._exit_error()
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "id" not in message:
                continue  # it is ready
            if "told" in message:
                self._told[message["id"]] = message["told"]
            elif message["id"] in self._unwanted:
                self._unwanted.remove(message["id"])
            else:
                self._ends[message["id"]] = message

    def _exit_error(self) -> ZygoteDied:
        """Why it is gone, as far as it said; what is still dying of it takes no more words."""
        self._control.close()
        try:
            said = self._source.exit_error()
        except ValueError:
            return ZygoteDied("the zygote was closed")
        last = said.splitlines()[-1][:500] if said else "it was killed"
        return ZygoteDied(f"the process that workers are forked from has ended: {last}")


def _how_it_ended(record: dict[str, Any], limits: Limits) -> WorkerDied:
    """What the operating system says of a worker's end, in words for a learner."""
    if record.get("failed"):
        # Never the learner's fault, whose code has not been seen yet.
        raise ZygoteDied(f"no worker can be enclosed here: {record['failed'].strip()}")
    code = int(record["code"])
    if float(record["cpu_seconds"]) >= limits.cpu_seconds - 0.5:
        return WorkerDied("timeout", f"your code used all of its {limits.cpu_seconds} seconds")
    if record["killed"] and code == -signal.SIGKILL:
        return WorkerDied("crashed", "your code cut itself off from the grader")
    if code == -signal.SIGKILL:
        return WorkerDied("memory", "memory ran out, and the operating system ended your code")
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return WorkerDied("crashed", _ENDED, how=(" by {}", name))
    return WorkerDied("crashed", _ENDED, how=(" with status {}", code))
