"""Keeps what an exercise shows while it is checked, each line once; shows nothing itself."""

import io
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any

from ..worker.namespace import running_shell

MAX_LINES = 20
MAX_LINE = 200


class Output(io.TextIOBase):
    """Lines that code wrote while `listens` is true; what else is written is lost.

    A check calls an exercise many times, so that a line that is there already is not kept again.
    """

    def __init__(self) -> None:
        self.listens = False
        self.written = 0  # lines, all together
        self._lines: dict[str, None] = {}
        self._begun = ""
        self._lock = threading.RLock()

    @property
    def lines(self) -> tuple[str, ...]:
        """The first lines that differ from each other."""
        return tuple(self._lines)

    def writable(self) -> bool:
        """As a file says it."""
        return True

    def write(self, text: str) -> int:
        """As a file does; never raises but for what is no text."""
        if not issubclass(type(text), str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self.listens:
            with self._lock:
                first, *others = text.split("\n")
                self._begun = (self._begun + first)[: MAX_LINE + 1]
                for line in others:
                    self.end_line()
                    self._begun = line[: MAX_LINE + 1]
        return len(text)

    def end_line(self) -> None:
        """Whatever comes next begins a line."""
        line, self._begun = self._begun.rstrip(), ""
        if line:
            self.written += 1
            if len(self._lines) < MAX_LINES:
                cut = line if len(line) <= MAX_LINE else line[:MAX_LINE] + "…"
                self._lines[cut] = None


@contextmanager
def kept_output() -> Iterator[Output]:
    """Inside, everything that is printed, warned of or displayed goes to an Output."""
    output = Output()

    def warn(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        output.write(f"{category.__name__}: {message}\n")

    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        # The checks compare what warns too: no filter of the learner's makes errors of that.
        warnings.filters[:] = [each for each in warnings.filters if each[0] != "error"]  # type: ignore[index]
        warnings.showwarning = warn
        stack.enter_context(redirect_stdout(output))
        stack.enter_context(redirect_stderr(output))
        stack.enter_context(_displayed_in(output))
        yield output


@contextmanager
def _displayed_in(output: Output) -> Iterator[None]:
    """What `display` shows, as text, where there is an IPython."""
    shell = running_shell()
    if shell is None:
        yield
        return
    from IPython.core.displaypub import DisplayPublisher

    class Kept(DisplayPublisher):
        def publish(self, data: Any, *_: Any, **__: Any) -> None:
            output.write(f"{data.get('text/plain', '')}\n")

        def clear_output(self, wait: bool = False) -> None:
            """Nothing is on the screen."""

    before = shell.display_pub
    shell.display_pub = Kept(parent=before)
    try:
        yield
    finally:
        shell.display_pub = before
