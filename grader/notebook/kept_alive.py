"""Keeps checked code from asking its learner, and from ending their kernel; knows no exercise."""

import builtins
import errno
import getpass
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

from ..worker.namespace import running_shell


def _nobody_answers(*_: object, **__: object) -> NoReturn:
    raise EOFError("EOF when reading a line")


def _ends(*_: object, **__: object) -> NoReturn:
    raise SystemExit


def _no_process(*_: object, **__: object) -> NoReturn:
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


# As behind the wall: nobody sits there, and a process is one.
_INSTEAD: tuple[tuple[Any, str, Any], ...] = (
    (builtins, "input", _nobody_answers),
    (getpass, "getpass", _nobody_answers),
    (os, "_exit", _ends),
    (os, "abort", _ends),
    (os, "fork", _no_process),
)


@contextmanager
def kept_alive() -> Iterator[None]:
    """Inside, a question finds nobody and an exit raises; afterwards both are as they were."""
    with ExitStack() as stack:
        shell = running_shell()
        asked = [] if shell is None else [(shell, "ask_exit", _ends)]  # by IPython's own `exit`
        for holder, name, instead in (*_INSTEAD, *asked):
            if hasattr(holder, name):
                stack.callback(setattr, holder, name, getattr(holder, name))
                setattr(holder, name, instead)
        yield
