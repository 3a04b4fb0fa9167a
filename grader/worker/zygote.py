"""The warm process that forks workers and kills them; executes no learner code, knows no secret."""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import random
import select
import signal
import socket
import stat
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from . import system_calls as kernel
from .control_messages import Messages
from .enclose import Surroundings, enclose
from .frames import with_room
from .processor import seconds_waited_for_others

_MAX_REPORT = 4_000
_serve: Callable[[int], None]  # imported by `main`, after PyTorch


class ForkServer:
    """Forks, kills and reaps workers as the examiner asks on the control socket."""

    def __init__(self, control: socket.socket, around: Surroundings) -> None:
        self._control = control
        self._around = around
        self._children: dict[int, _Child] = {}  # by the examiner's number
        self._ended: dict[int, dict[str, Any]] = {}
        self._awaited: set[int] = set()
        self._clones: set[int] = set()
        self._own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY) if around.namespaces else -1

    def run(self) -> None:
        """Say so and serve until the examiner is gone; then nothing of it is left either."""
        self._control.sendall(b'{"ready": true}\n')
        messages = Messages(self._control)
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        while True:
            # Without pidfds (macOS) ends are noticed by looking now and then.
            blind = any(child.pidfd < 0 for child in self._children.values())
            for fd, _ in poll.poll(50 if blind else None):
                if fd != self._control.fileno():
                    continue
                received = messages.receive()
                if received is None:
                    for child in self._children.values():
                        child.kill()
                    return
                for message, passed in received:
                    self._obey(message, passed, poll)
            self._reap(poll)

    def _obey(self, message: dict[str, Any], passed: int | None, poll: select.poll) -> None:
        if message["do"] == "clone" and passed is not None:
            self._clone(passed)
            return
        number = message["id"]
        if message["do"] == "fork" and passed is not None:
            try:
                child = self._fork(message["limits"], passed)
            except OSError as error:
                self._ended[number] = {"failed": f"no worker could be started: {error}"}
                return
            finally:
                os.close(passed)
            self._children[number] = child
            if child.pidfd >= 0:
                poll.register(child.pidfd, select.POLLIN)
        elif message["do"] in ("delayed", "ring"):
            told = self._told(message["do"], self._children.get(number))
            self._control.sendall(json.dumps({"id": number, "told": told}).encode() + b"\n")
        elif message["do"] == "end":
            self._awaited.add(number)
            self._reap(poll)  # what has ended by itself is not said to be killed
            if number in self._children:
                self._children[number].kill()

    @staticmethod
    def _told(asked: str, child: _Child | None) -> float:
        if child is None:
            return 0.0
        return child.delayed() if asked == "delayed" else child.ring()

    def _clone(self, control: int) -> None:
        """A zygote like this one, for another examiner; it ends with this one at the latest."""
        with contextlib.suppress(OSError):  # then that examiner hears that its socket is closed
            pid = os.fork()
            if pid == 0:
                self._be_clone(control)
            self._clones.add(pid)
        os.close(control)

    def _be_clone(self, control: int) -> NoReturn:
        """What a clone does until its end; what is this one's it lets go of."""
        try:
            if sys.platform == "linux":
                kernel.die_with_parent()
            self._control.close()
            for child in self._children.values():
                child.forget()
            if self._own_pids >= 0:
                os.close(self._own_pids)
            _serve_until_the_end(ForkServer(socket.socket(fileno=control), self._around))
        finally:
            os._exit(1)

    def _fork(self, limits: dict[str, Any], channel: int) -> _Child:
        report, writing = os.pipe()
        if self._around.namespaces:
            # Holds for children only; undone at once, as the kernel allows but one such step.
            kernel.unshare(kernel.CLONE_NEWPID)
        try:
            parent, pid = os.getpid(), os.fork()
            if pid == 0:
                # Code finds this frame: which fork it is, and beside what others, tells it nothing.
                self._children, self._ended, self._awaited, self._clones = {}, {}, set(), set()
                _be_worker(limits, channel, self._around, writing, parent)
        except OSError:
            os.close(report)
            raise
        finally:
            os.close(writing)
            if self._around.namespaces:
                kernel.setns(self._own_pids, kernel.CLONE_NEWPID)
        return _Child(pid, report)

    def _reap(self, poll: select.poll) -> None:
        self._clones -= {pid for pid in self._clones if os.waitpid(pid, os.WNOHANG)[0]}
        for number, child in list(self._children.items()):
            record = child.ended()
            if record is None:
                continue
            del self._children[number]
            if child.pidfd >= 0:
                poll.unregister(child.pidfd)
                os.close(child.pidfd)
            self._ended[number] = record
        for number in [n for n in self._awaited if n in self._ended]:
            self._awaited.remove(number)
            report = json.dumps({"id": number, **self._ended.pop(number)}) + "\n"
            self._control.sendall(report.encode())


class _Child:
    """One worker, as its parent sees it."""

    def __init__(self, pid: int, report: int) -> None:
        self._pid = pid
        self._report = report
        self.killed = False
        self.pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else -1

    def kill(self) -> None:
        """End it; it is the init of its namespace, so that all it started ends too."""
        if not self.killed:
            self.killed = True
            # Without namespaces, at least its process group.
            for send in (os.kill, os.killpg):
                # Not allowed to kill it: then rather end with all that is in here.
                with contextlib.suppress(ProcessLookupError):
                    send(self._pid, signal.SIGKILL)

    def delayed(self) -> float:
        """Seconds that it has waited for a processor that others had."""
        return seconds_waited_for_others(self._pid)

    def ring(self) -> float:
        """Have it say where it is."""
        with contextlib.suppress(OSError):
            os.kill(self._pid, signal.SIGALRM)
        return 0.0

    def forget(self) -> None:
        """Close what a clone has inherited of it."""
        for fd in (self._report, self.pidfd):
            if fd >= 0:
                os.close(fd)

    def ended(self) -> dict[str, Any] | None:
        """How it ended; None while it lives."""
        pid, status, usage = os.wait4(self._pid, os.WNOHANG)
        if pid == 0:
            return None
        with contextlib.suppress(OSError):  # without namespaces, what it has started may be left
            os.killpg(self._pid, signal.SIGKILL)
        with open(self._report, "rb") as report:
            failed = report.read(_MAX_REPORT).decode("utf-8", "replace")
        return {
            "killed": self.killed,
            "code": os.waitstatus_to_exitcode(status),
            "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 3),
            "failed": failed or None,
        }


def _be_worker(
    limits: dict[str, Any], channel: int, around: Surroundings, report: int, parent: int
) -> None:
    """What a fork does until its end; it never returns into the zygote's loop."""
    try:
        os.dup2(report, 2)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.platform == "linux" and not around.namespaces:  # where it is no init's child
            kernel.die_with_parent()
            if os.getppid() != parent:
                os._exit(1)
        channel = enclose(limits, channel, around)
    except BaseException:
        os.write(2, traceback.format_exc()[-_MAX_REPORT:].encode())
        os._exit(1)
    try:
        os.dup2(0, 2)  # from here on nobody reads what is written there
        random.seed(0)  # Python seeds it anew in every fork
        _serve(channel)
    finally:
        os._exit(0)


def _readable_by_all(example: str) -> bool:
    """Whether workers that are not root could still import what root has installed."""
    return all(
        os.stat(path).st_mode & stat.S_IROTH
        for file in (example, os.__file__, __file__)
        for path in (file, os.path.dirname(file))
    )


@with_room
def main(control_fd: int) -> None:
    """Get ready as the examiner's first message says, report so, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the examiner, which then ends us
    sys.argv = [""]  # a script that parses its arguments finds none
    if sys.platform == "linux":
        kernel.die_with_parent()  # bubblewrap asks for this too, but it is not always there
    gc.disable()  # what is loaded now stays: to look through it again and again finds nothing
    control = socket.socket(fileno=control_fd)
    control.set_inheritable(False)
    received = Messages(control).receive()
    if received is None:
        return
    ((config, _),) = received

    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    from . import recorder
    from .bounded_memory import address_space
    from .warmup import warm_up
    from .worker_loop import serve

    global _serve
    _serve = serve
    warm_up()
    recorder.install()
    # A learner's busy threads shall not keep the answer back for seconds.
    sys.setswitchinterval(0.0005)
    # Every worker begins in the same state, whichever zygote it comes from.
    torch.manual_seed(0)
    sys.modules["numpy"].random.seed(0)
    if config["namespaces"] and len(os.listdir("/proc/self/task")) != 1:
        raise RuntimeError("warming up started a thread, which forks do not survive")
    around = Surroundings(
        namespaces=config["namespaces"],
        proc=os.open("/proc", os.O_PATH | os.O_DIRECTORY) if config["namespaces"] else None,
        change_user=config["namespaces"] and os.getuid() == 0 and _readable_by_all(torch.__file__),
        address_space=address_space() or 2**36,  # no Linux
        bpf=base64.b64decode(config["bpf"]),
    )
    zygote = ForkServer(control, around)
    gc.freeze()  # a collection in a fork would otherwise copy every page
    gc.enable()
    _serve_until_the_end(zygote)


def _serve_until_the_end(zygote: ForkServer) -> NoReturn:
    try:
        zygote.run()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)  # tidying up PyTorch would take a while
