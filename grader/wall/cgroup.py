"""One control group around a zygote and its workers, where this machine lets us make one."""

import contextlib
import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_NAME = "transformer-course"
_REMOVAL_SECONDS = 1.0
_numbers = itertools.count(1)
# Version 1 has a tree for each controller; version 2 has one for all.
_FILES_1 = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}
_FILES_2 = {"memory": "memory.max", "pids": "pids.max"}


@dataclass(frozen=True)
class Cgroup:
    """The directories that are one group: one for version 2, one per controller for version 1."""

    directories: tuple[Path, ...]

    def entering(self, command: list[str]) -> list[str]:
        """A command that enters the group and then becomes `command`."""
        files = [str(directory / "cgroup.procs") for directory in self.directories]
        script = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'
        return ["/bin/sh", "-c", script, "sh", *files, "--", *command]

    def remove(self) -> None:
        """Give the group back; those that have just ended in it may hold it for a moment."""
        end = time.monotonic() + _REMOVAL_SECONDS
        for directory in self.directories:
            while directory.exists():
                with contextlib.suppress(OSError):
                    directory.rmdir()
                    break
                if time.monotonic() > end:
                    break
                time.sleep(0.005)


def create(memory_mb: int, processes: int) -> Cgroup | None:
    """A new group with these bounds; None where there are no control groups that we may write."""
    limits = {"memory": memory_mb * 2**20, "pids": processes}
    name = f"{_NAME}-{os.getpid()}-{next(_numbers)}"
    made: list[Path] = []
    try:
        for parent, files in _parents():
            for leftover in parent.glob(f"{_NAME}-*"):  # of graders that were killed
                if not os.path.exists(f"/proc/{leftover.name.split('-')[-2]}"):
                    with contextlib.suppress(OSError):  # a group in use cannot be removed
                        leftover.rmdir()
            directory = parent / name
            directory.mkdir()
            made.append(directory)
            for controller, file in files.items():
                (directory / file).write_text(str(limits[controller]))
    except OSError:
        Cgroup(tuple(made)).remove()
        return None
    return Cgroup(tuple(made)) if made else None


def _parents() -> list[tuple[Path, dict[str, str]]]:
    """Where groups can be made beneath this process's own, and which files set their limits."""
    own = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            own[controller] = path.lstrip("/")
    if (_ROOT / "cgroup.controllers").exists():
        parent = _ROOT / own.get("", "")
        # A group that holds processes itself may not share out controllers: then this fails.
        enabled = (parent / "cgroup.subtree_control").read_text().split()
        missing = [f"+{controller}" for controller in _FILES_2 if controller not in enabled]
        if missing:
            (parent / "cgroup.subtree_control").write_text(" ".join(missing))
        return [(parent, _FILES_2)]
    return [
        (_ROOT / controller / own[controller], {controller: file})
        for controller, file in _FILES_1.items()
        if controller in own
    ]
