"""One process of a run: reads tasks and writes answers as lines; how they are marked, it leaves.

It becomes several once it has loaded what all of them need: forks start at once and share memory.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from ..worker.frames import with_room
from .messages import REFUSALS, Setup, Task, TaskResult, answer_to_json, refusal_to_json
from .task_marking import TaskMarker

if TYPE_CHECKING:
    from ..wall.start import Source


# The other end is gone: elsewhere than on Linux it may have to be read to be known.
_CLOSED = select.POLLHUP | getattr(select, "POLLRDHUP", 0)


class _Others:
    """The jobs that this process is still to become."""

    def __init__(self, own: socket.socket, places: list[tuple[int, int]]) -> None:
        """A place is a socket for tasks and answers, and a file for complaints.

        `own` is this process's socket.
        """
        self._own = own
        self._places = places
        self.marker: TaskMarker | None = None

    def become(self) -> None:
        """Fork into all of them; the forks never return."""
        assert self.marker is not None
        while self._places:
            channel, errors = self._places.pop()
            clone = None
            try:
                clone = self.marker.clone()
                if os.fork() == 0:
                    self._be(channel, errors, clone, 1 + len(self._places))
            except OSError:  # no room for another: the run hears that its end is closed
                traceback.print_exc()
            finally:
                os.close(channel)
                os.close(errors)
                if clone is not None:
                    clone.control.close()

    def _be(self, channel: int, errors: int, clone: Source | None, place: int) -> NoReturn:
        try:
            os.dup2(errors, 1)
            os.dup2(errors, 2)
            # Whoever holds the others' ends open would hide that they have died.
            for other in (self._own.fileno(), errors, *sum(self._places, ())):
                os.close(other)
            assert self.marker is not None
            self.marker.go_on_with(clone, place)
            ours = socket.socket(fileno=channel)
            ours.sendall(json.dumps({"here": os.getpid()}).encode("ascii") + b"\n")
            _serve(self.marker, ours, ours.makefile(encoding="ascii"))
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)


def _end_with(run: socket.socket) -> None:
    """Kill this process, and its sandbox with it, once the run has ended, however it did."""
    watched = select.poll()
    watched.register(run, _CLOSED)
    while not watched.poll():
        pass
    os.kill(os.getpid(), signal.SIGKILL)


def _serve(marker: TaskMarker, run: socket.socket, tasks: Iterable[str]) -> None:
    """Answer every task of a run."""
    threading.Thread(target=_end_with, args=(run,), daemon=True).start()
    for line in tasks:
        given = json.loads(line)
        marker.learn(map(json.loads, given.pop("copies")))
        task = Task.from_json(given)
        try:
            answer = answer_to_json(marker.answer(task))
        except REFUSALS as refused:
            answer = refusal_to_json(refused)
        except Exception as error:
            traceback.print_exc()
            answer = answer_to_json(TaskResult.of_error(task.learner, error))
        run.sendall(json.dumps(answer).encode("ascii") + b"\n")


@with_room
def main() -> None:
    """Serve until the run has ended; arguments are pairs of descriptors, a place each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run, which then ends its jobs
    gc.disable()  # until the marker has loaded all that it needs
    numbers = [int(number) for number in sys.argv[1:]]
    (channel, errors), *places = zip(numbers[::2], numbers[1::2], strict=True)
    os.close(errors)  # where its standard error leads anyway
    own = socket.socket(fileno=channel)
    tasks = own.makefile(encoding="ascii")
    setup = Setup(**json.loads(tasks.readline()))
    others = _Others(own, places)
    os.nice(setup.nice)
    with TaskMarker(setup, 1 + len(places), others.become) as marker:
        others.marker = marker
        _serve(marker, own, tasks)


if __name__ == "__main__":
    main()
