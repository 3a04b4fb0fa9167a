"""Tries in a process of its own whether something can be read at all; keeps nothing of what it is.

What is read here was written by strangers, and some text takes Python's own parser minutes. The
process is ended by its use of the processor, so that a busy machine changes no answer.
"""

import os
import signal
from collections.abc import Callable

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
