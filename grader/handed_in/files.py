"""Reads files that learners handed in, within bounds, following no link; opens no notebook."""

import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from .file_names import is_data, is_hidden, is_tools, may_be_work, suffix_of

MEGABYTE = 1_000_000
MAX_FILE_BYTES = 20 * MEGABYTE  # without outputs: a notebook's code is far smaller
MAX_NOTEBOOK_BYTES = 100 * MEGABYTE  # with them
MAX_FOLDER_BYTES = 60 * MEGABYTE  # without outputs
MAX_UNPACKED_BYTES = 300 * MEGABYTE  # of one submission, outputs included
MAX_FILES = 200  # notebooks and scripts in one submission
MAX_ENTRIES = 5_000  # in one submission; of a folder, of kinds that are read
MAX_DEPTH = 8
MAX_ZIPPED_BYTES = 100 * MEGABYTE  # of all zips in one folder, before anything is unpacked
MAX_LISTED = 10 * MAX_ENTRIES  # entries of all zips in one folder, and of any kind in it

MAX_DATA_BYTES = 100_000
END_BYTES = 4_000  # of a JSON file, which tell whether it is a notebook
MAX_DATA_FILES = 50  # the others are passed over
_ENVIRONMENTS = {"pyvenv.cfg", "conda-meta"}  # what lies in one of Python's, beside its own folders
_OF_ENVIRONMENTS = frozenset(
    {
        *(
            "bin",
            "include",
            "lib",
            "lib64",
            "scripts",
            "share",
            "etc",
            "conda-meta",
            "pkgs",
            "dlls",
        ),
        *("library", "ssl", "man", "sbin", "var"),
    }
)
_NAMED = 5  # files of other kinds, where there is nothing else
# O_NONBLOCK: opening a FIFO returns at once. The flags that Windows lacks are not needed there.
_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)


class Refused(Exception):
    """What was handed in cannot be read; the message says why, and what to do next."""


@dataclass
class ParseQuota:
    """One for a whole submission: its files, its archives, and what is in them."""

    files: int = MAX_FILES
    data: int = MAX_DATA_FILES
    size: int = MAX_FOLDER_BYTES
    unpacked: int = MAX_UNPACKED_BYTES
    zipped: int = MAX_ZIPPED_BYTES
    listed: int = MAX_LISTED
    others: list[str] = field(default_factory=list)  # files of kinds that hold no answer
    like_work: list[str] = field(default_factory=list)  # those that may hold one, by their names

    def ask(self, size: int = 0) -> None:
        """Raises Refused where nothing more, or not so much more, is read.

        It is asked before a file is opened.
        """
        if self.files <= 0:
            raise Refused(f"is one of more than {MAX_FILES} files; it is left out")
        if self.size <= 0 or self.size < size:
            message = f"comes after {MAX_FOLDER_BYTES / MEGABYTE:,.0f} MB of files; it is left out"
            raise Refused(message)
        if self.unpacked <= 0:
            most = f"{MAX_UNPACKED_BYTES / MEGABYTE:,.0f} MB"
            raise Refused(f"comes after {most} of files with their outputs; it is left out")

    def ask_for_archive(self) -> None:
        """The same before an archive is opened, whose list of names alone takes time."""
        self.ask()
        if self.zipped <= 0 or self.listed <= 0:
            raise Refused(
                "comes after too much in other archives; hand in one zip of notebooks alone"
            )

    def ask_for_data(self) -> None:
        """Raises Refused after so many data files: code that asks for another is told."""
        self.data -= 1
        if self.data < 0:
            raise Refused(f"is one of more than {MAX_DATA_FILES} data files; it is left out")

    def take(self, content: bytes) -> None:
        """Count a file that was read; raises Refused where it was too large for what was left."""
        self.size -= len(content)
        if self.size < 0:
            self.ask()  # and all that comes after is refused as well
        self.files -= 1

    def pass_over(self, name: str) -> None:
        """Note a file of a kind that holds no answer; the first few are enough to tell."""
        if len(self.others) < _NAMED:
            self.others.append(name)
        if may_be_work(name):
            self.like_work.append(name)


def read_file(path: Path | str, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes; raises Refused for all else."""
    with _opened(path, limit) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise Refused(_too_large(len(content), limit))
    return content


def ends_of(path: Path | str) -> tuple[bytes, bytes]:
    """How a regular file begins and ends; nothing of what is none, or cannot be read."""
    with suppress(Refused), _opened(path, MAX_NOTEBOOK_BYTES) as file:
        begin = file.read(END_BYTES)
        file.seek(max(0, os.fstat(file.fileno()).st_size - END_BYTES))
        return begin, file.read(END_BYTES)
    return b"", b""


@contextmanager
def _opened(path: Path | str, limit: int) -> Iterator[BinaryIO]:
    """A regular file of at most `limit` bytes; raises Refused for all else."""
    try:
        _regular(os.lstat(path), limit)  # a device must not even be opened
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb", closefd=True) as file:
            _regular(os.fstat(descriptor), limit)  # it may be another file by now
            yield file
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(f"cannot be read ({reason})") from None


def walk(folder: Path) -> Iterator[tuple[str, Path | Refused]]:
    """Each file of a folder that is no tool's: its name inside, its path or why not.

    Folders come by depth and name, so that a disk's own order tells nothing. What is hidden, or in
    a folder that is, is among them where it may be work; it comes last.
    """
    waiting, hidden_ones = deque([(folder, "", 0)]), deque[tuple[Path, str, int]]()
    seen = listed = 0
    while waiting or hidden_ones:
        here, prefix, depth = (waiting or hidden_ones).popleft()
        try:
            entries = _entries(here, MAX_LISTED - listed)
        except OSError as error:
            yield prefix or ".", Refused(f"cannot be read ({error.strerror})")
            continue
        is_environment = not _ENVIRONMENTS.isdisjoint(entry.name for entry in entries)
        tools = _OF_ENVIRONMENTS if is_environment else frozenset[str]()
        listed += len(entries)
        for entry in entries:
            name = prefix + entry.name
            hidden = is_hidden(name)
            is_inner = is_folder(entry)
            seen += is_inner or bool(suffix_of(name)) or is_data(name)
            if seen > MAX_ENTRIES or listed >= MAX_LISTED:
                message = f"more than {MAX_ENTRIES:,} entries; the rest is left out"
                yield prefix, Refused(message)
                return
            if not is_inner:
                if not hidden or may_be_work(name):
                    yield name, Path(entry.path)
            elif is_tools(entry.name) or entry.name.lower() in tools:
                continue
            elif depth < MAX_DEPTH:
                further = hidden_ones if hidden else waiting
                further.append((Path(entry.path), name + "/", depth + 1))
            else:
                yield name, Refused("lies too deep in folders; it is left out")


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    """What lies in a folder, by name; of more than so many, that many."""
    with os.scandir(folder) as entries:
        return sorted(islice(entries, most), key=lambda entry: entry.name)


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether it is one itself, and no link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _regular(status: os.stat_result, limit: int) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise Refused("is a symbolic link, which is never followed; hand in the file itself")
    if not stat.S_ISREG(status.st_mode):
        raise Refused("is no regular file; hand in a notebook, a .py file, a folder or a .zip")
    if status.st_size > limit:
        raise Refused(_too_large(status.st_size, limit))


def _too_large(size: int, limit: int) -> str:
    return (
        f"is too large ({size / MEGABYTE:,.0f} MB, at most {limit / MEGABYTE:,.0f} MB are read); "
        "clear the outputs, save it and hand it in again"
    )
