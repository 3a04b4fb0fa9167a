"""The transport to code of this process, with an eye on what it takes and calls; marks nothing."""

import linecache
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from ..curriculum.references import reference
from ..wall.transport import WorkerDied
from ..worker.answering import Service
from ..worker.overheard import by_name, overheard
from ..worker.problems import loop_around
from .kernel_state import as_by_default
from .output import Output
from .reading import label
from .time_limit import TimeLimit


class LentWatch:
    """While it is entered, `called` gathers which of these exercises' references run.

    Wrapped, renamed or subclassed: what runs is the same function, with other code for a while.
    """

    def __init__(self, exercises: Iterable[str]) -> None:
        self.called: set[str] = set()
        self._noting: list[tuple[FunctionType, CodeType, CodeType]] = []
        for name in exercises:
            thing = reference(name)
            held = vars(thing).values() if isinstance(thing, type) else [thing]
            for function in (each for each in held if isinstance(each, FunctionType)):
                noting = overheard(function.__code__, by_name(self.called.add, name))
                self._noting.append((function, function.__code__, noting))

    def __enter__(self) -> None:
        for function, _own, noting in self._noting:
            function.__code__ = noting

    def __exit__(self, *_: object) -> None:
        for function, own, _noting in self._noting:
            function.__code__ = own


@dataclass(frozen=True)
class Watched:
    """The same, in bounded time and with an eye on what code shows and what it leaves to others.

    Raises WorkerDied when the time is over.
    """

    service: Service
    limit: TimeLimit
    output: Output
    watch: LentWatch | nullcontext[None]

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        self.output.listens = True
        try:
            with self.watch:
                answer = self.limit.run(lambda: self.service.handle(op, payload))
        finally:
            as_by_default()  # what judges the answer computes beside it
            self.output.end_line()
            self.output.listens = False
        if self.limit.is_over or answer is None:
            own = (
                _place(cell, file, line) for file, line in self.limit.at if (cell := label(file))
            )
            reason = f"its calls took more than {self.limit.seconds:g} seconds"
            raise WorkerDied("timeout", reason, next(own, None))
        return answer


def _place(cell: str, file: str, line: int) -> tuple[str, int, str]:
    """The loop that this line stands in, else the line itself."""
    line = loop_around(file, line)
    return cell, line, linecache.getline(file, line).strip()
