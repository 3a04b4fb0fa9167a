"""Starts kernels as forks of a process that has loaded PyTorch; knows nothing of pytest or ours.

    python kernel_forks.py SOCKET -f CONNECTION    what Jupyter starts, as if it were the kernel
    python kernel_forks.py LISTENING               what forks, with that listening descriptor

What Jupyter starts hands over its streams, folder and environment, passes signals on, and ends with
the kernel. The kernel ends with what Jupyter started, and all end with whoever holds the input of
what forks.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress


def stand_in(place: str, arguments: Sequence[str]) -> int:
    """Ask for a kernel, and be what it is to others until it ends; its exit status."""
    with socket.socket(socket.AF_UNIX) as asked, asked.makefile("rw") as lines:
        asked.connect(place)
        socket.send_fds(asked, [b"."], [0, 1, 2])
        lines.write(json.dumps([arguments, os.getcwd(), dict(os.environ)]) + "\n")
        lines.flush()
        kernel = int(lines.readline())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os.kill(kernel, number))
        return int(lines.readline())


def serve(listening: socket.socket) -> None:
    """Fork for each that asks, until the standard input ends."""
    import ipykernel.kernelapp
    import matplotlib.figure  # noqa: F401
    import torch  # noqa: F401

    gc.freeze()  # what is shared stays shared
    while True:
        ready, _, _ = select.select([listening, sys.stdin], [], [])
        if sys.stdin in ready:
            os.killpg(0, signal.SIGKILL)
        asked, _ = listening.accept()
        if not os.fork():
            _look_after(asked)
            ipykernel.kernelapp.launch_new_instance()
            return
        asked.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def _look_after(asked: socket.socket) -> None:
    """Return in the kernel; here see to it that neither outlives the other."""
    _, streams, _, _ = socket.recv_fds(asked, 1, 3)
    lines = asked.makefile("rw")
    arguments, folder, environment = json.loads(lines.readline())
    if not (kernel := os.fork()):
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment | {"JPY_PARENT_PID": str(os.getppid())})
        sys.argv = ["ipykernel_launcher", *arguments]
        return
    for stream in streams:
        os.close(stream)
    lines.write(f"{kernel}\n")
    lines.flush()
    ended = os.pidfd_open(kernel)
    if ended not in select.select([ended, asked], [], [])[0]:
        os.kill(kernel, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(kernel, 0)[1])
    with suppress(OSError):
        lines.write(f"{status}\n")
        lines.flush()
    os._exit(0)


if __name__ == "__main__":
    del sys.path[0]  # a kernel's own folder stands there
    if len(sys.argv) == 2:
        serve(socket.socket(fileno=int(sys.argv[1])))
    else:
        sys.exit(stand_in(sys.argv[1], sys.argv[2:]))
