"""Tries in a process of its own whether something can be read at all; keeps nothing of what it is.

What is read here was written by strangers, and some text takes Python's own parser minutes. The
process is ended by its use of the processor, so that a busy machine changes no answer.
"""

import json
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

_TRIES = 2  # of what somebody else ends: what happens twice is no accident
SECONDS = 10.0  # of the processor; a whole course that was solved takes a hundredth of this

_SLOW = (
    f"takes more than {SECONDS:.0f} seconds of processor time to read, and nothing of it is read; "
    "hand in the notebooks alone, without generated code, long repeated text or deep brackets"
)
_CRASHES = "ends the process that reads it, and nothing of it is read; hand in the notebooks alone"
_REASONS = (
    {
        signal.SIGPROF: _SLOW,
        signal.SIGSEGV: _CRASHES,  # too deep for the parser's stack
        signal.SIGBUS: _CRASHES,
        signal.SIGABRT: _CRASHES,
    }
    if hasattr(signal, "SIGPROF")
    else {}
)


def why_unreadable(read: Callable[[], object]) -> str:
    """Why what `read` does cannot be done, in words to act on; empty where it can.

    What it raises is no matter of this: it raises the same again. Raises ChildProcessError where
    somebody else has ended the process, and then another one.
    """
    if not hasattr(os, "fork"):  # Windows, where only one's own work is read
        return ""
    for _ in range(_TRIES):
        ended_by = _signal_of(read)
        if not ended_by or ended_by in _REASONS:
            return _REASONS[signal.Signals(ended_by)] if ended_by else ""
    raise ChildProcessError(f"what reads it was ended by signal {ended_by}")


def _signal_of(read: Callable[[], object]) -> int:
    """The signal that ends a process which does this; 0 where none does."""
    child = os.fork()
    if child == 0:
        try:
            os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # nobody waits for the end of these
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            read()
        finally:
            os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


class Reader:
    """A process that tries what `why_unreadable` does, each in a fork of its own.

    To be made while the process is small: forks of one that has grown since take much longer.
    """

    def __init__(self, read: Callable[[str], object]) -> None:
        """`read` is given a text of one line."""
        self._read = read
        self._begin()

    def why_unreadable(self, what: str) -> str:
        """Why `read` of this text cannot be done, as the function above has it, which it raises."""
        for _ in range(_TRIES):
            with suppress(OSError):  # it has ended, which is what it says
                self._ours.sendall(what.encode() + b"\n")
            if said := self._said.readline():
                why, failed = json.loads(said)
                if failed:
                    raise ChildProcessError(failed)
                return str(why)
            self.close()
            self._begin()
        raise ChildProcessError("what reads it was ended")

    def close(self) -> None:
        """Let go of it, and end it where this is the process that made it."""
        self._said.close()
        self._ours.close()
        if self._maker == os.getpid():
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)

    def _begin(self) -> None:
        self._ours, theirs = socket.socketpair()
        self._maker, self._pid = os.getpid(), os.fork()
        if self._pid == 0:
            try:
                self._answer(os.dup2(theirs.fileno(), 3))
            finally:
                os._exit(0)
        theirs.close()
        self._said = self._ours.makefile(encoding="ascii")

    def _answer(self, channel: int) -> None:
        os.closerange(channel + 1, os.sysconf("SC_OPEN_MAX"))  # nobody waits for the end of these
        theirs = socket.socket(fileno=channel)
        for line in theirs.makefile(encoding="utf-8"):
            said = ["", ""]
            try:
                said[0] = why_unreadable(partial(self._read, line.rstrip("\n")))
            except ChildProcessError as error:
                said[1] = str(error)
            theirs.sendall(json.dumps(said).encode("ascii") + b"\n")
