"""Runs commands as people do who are not root, on this machine's own Python."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
_ID = 23456 if os.geteuid() == 0 else os.geteuid()  # no account has this number, and none is needed
_PLACES = sorted({Path(sys.base_prefix).resolve(), Path(sys.prefix), ROOT})  # that a run needs
_BEFORE_GIVING_UP = ("CAP_SETUID", "CAP_SETGID")


@contextmanager
def home() -> Iterator[Path]:
    """A folder that belongs to the ordinary account; not in /tmp, which a test may take away."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        os.chown(folder, _ID, -1)
        yield folder
    finally:
        shutil.rmtree(folder)


def own(folder: Path) -> None:
    """Give everything in a folder to the ordinary account."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, _ID, -1)


def run(
    *line: object,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    full: str = "",
    missing: str = "",
) -> subprocess.CompletedProcess[str]:
    """Run a command as an ordinary account, on a machine where one folder is full or missing."""
    start = ["bwrap", "--die-with-parent", *_machine(missing), *_doors(), "--chdir", str(cwd)]
    if full:
        start += ["--size", "4096", "--tmpfs", full]
        for place in filter(lambda each: each.is_relative_to(full), _PLACES):
            for folder in [*reversed(place.parents)][len(Path(full).parts) :]:
                start += ["--perms", "0755", "--dir", str(folder)]
            start += ["--bind", str(place), str(place)]  # a clone that lies in it
    if os.geteuid() == 0:
        for capability in _BEFORE_GIVING_UP:
            start += ["--cap-add", capability]
        start += ["setpriv", f"--reuid={_ID}", f"--regid={_ID}", "--clear-groups"]
        start += ["--inh-caps=-all", "--bounding-set=-all"]
    variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **(environment or {})}
    return subprocess.run(
        [*start, *map(str, line)],
        env=variables,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def python(*arguments: object) -> list[str]:
    """The command line of this Python, which leaves no compiled files behind."""
    return [sys.executable, "-B", *map(str, arguments)]


def _machine(missing: str) -> Iterator[str]:
    """This machine as it is, but for one of the folders at its root."""
    if not missing:
        yield from ("--dev-bind", "/", "/")
        return
    for place in sorted(Path("/").iterdir()):
        if place.is_symlink():
            yield from ("--symlink", os.readlink(place), str(place))
        elif place.is_dir() and str(place) != missing:
            yield from ("--dev-bind", str(place), str(place))


def _doors() -> Iterator[str]:
    """Open the way to this Python where it leads through folders that are closed to others.

    Such a folder is covered by one that holds what is needed and nothing else.
    """
    covered: set[Path] = set()
    for place in _PLACES:
        way = [*reversed(place.parents)]
        closed = next((each for each in way if not _may_enter(each)), None)
        if closed is None:
            continue
        if closed not in covered:
            covered.add(closed)
            yield from ("--perms", "0755", "--tmpfs", str(closed))
        for folder in way[way.index(closed) + 1 :]:
            yield from ("--perms", "0755", "--dir", str(folder))
        yield from ("--bind", str(place), str(place))


def _may_enter(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH) or os.geteuid() != 0
