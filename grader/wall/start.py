"""Sets a zygote's process going, before the PyTorch of whoever will use it is loaded.

A zygote takes as long to get ready as an examiner does; they may do so side by side.
"""

import base64
import contextlib
import json
import select
import socket
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import IO, Any

from . import cgroup, sandbox, seccomp
from .limits import Limits

_ZYGOTE_MB = 1024
_WORKERS = 4  # of one examiner live at most at once: one that grades, a few that are being ended
_CLOSE_SECONDS = 5.0
_END_SECONDS = 30.0


@dataclass(frozen=True)
class ZygoteHandle:
    """A zygote on its way, and what it was started with."""

    control: socket.socket  # its end for the examiner
    errors: IO[bytes]
    process: subprocess.Popen[bytes]
    stopped: threading.Event
    limits: Limits
    cgroup: cgroup.Cgroup | None

    def kill(self) -> None:
        """End its process."""
        self.process.kill()

    def exit_error(self) -> str:
        """Its standard error, once it has had time to end; raises ValueError where closed."""
        if not self.errors.closed:
            self.stopped.wait(1.0)
        self.errors.seek(0)
        return self.errors.read(2**16).decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End the zygote and with it every worker."""
        self.control.close()  # at which the zygote, the init of its namespace, exits
        if not self.stopped.wait(_CLOSE_SECONDS):
            self.process.kill()
            self.stopped.wait(_END_SECONDS)
        self.errors.close()
        if self.cgroup is not None:
            self.cgroup.remove()


@dataclass(frozen=True)
class Cloned:
    """A zygote forked from another, for a fork of its examiner; it ends when the other does."""

    control: socket.socket
    limits: Limits
    cgroup: cgroup.Cgroup | None

    def kill(self) -> None:
        """Leave it to the zygote that it comes from."""
        self.control.close()

    def exit_error(self) -> str:
        """Nothing: it shares its standard error with others."""
        if self.control.fileno() < 0:
            raise ValueError("it was closed")
        return ""

    def close(self) -> None:
        """End the zygote and with it every worker."""
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)  # at which it exits, and its end is closed
            end = time.monotonic() + _CLOSE_SECONDS
            while select.select([self.control], [], [], max(0.0, end - time.monotonic()))[0]:
                if not self.control.recv(2**16):
                    break
        self.control.close()


Source = ZygoteHandle | Cloned  # where a zygote comes from: its own process, or another zygote


def begin(isolated: bool = True, limits: Limits | None = None, examiners: int = 1) -> ZygoteHandle:
    """Start a zygote and tell it what it is to be; raises FileNotFoundError or MissingPackage.

    `examiners` is how many it will serve, its clones included.
    """
    limits = limits or Limits()
    config: dict[str, Any] = {"namespaces": isolated, "bpf": ""}
    if isolated:
        config["bpf"] = base64.b64encode(seccomp.compiled()).decode()
        # Room for the zygote and so many workers at their limits.
        workers = examiners * _WORKERS
        memory = _ZYGOTE_MB + workers * (limits.memory_mb + 2 * limits.tmp_mb)
        group = cgroup.create(memory, (workers + 1) * limits.processes)
        handle = ZygoteHandle(*sandbox.start_enclosed(group), limits, group)
    else:
        handle = ZygoteHandle(*sandbox.start_plain(), limits, None)
    with contextlib.suppress(OSError):  # it died already; the waiting caller gets the reason
        handle.control.sendall(json.dumps(config).encode() + b"\n")
    return handle
