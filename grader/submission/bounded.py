"""Tries in a process of its own whether something can be read at all; keeps nothing of what it is.

What is read here was written by strangers, and some text takes Python's own parser minutes. The
process is ended by its use of the processor, so that a busy machine changes no answer.
"""

import os
import signal
from collections.abc import Callable

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
    somebody else has ended the process.
    """
    if not hasattr(os, "fork"):  # Windows, where only one's own work is read
        return ""
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
    if not os.WIFSIGNALED(status):
        return ""
    ended_by = os.WTERMSIG(status)
    if ended_by not in _REASONS:
        raise ChildProcessError(f"what reads it was ended by signal {ended_by}")
    return _REASONS[signal.Signals(ended_by)]
