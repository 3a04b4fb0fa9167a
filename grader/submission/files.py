"""Finds and reads what learners handed in, within bounds, following no link; opens no notebook."""

import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1_000_000
MAX_FILE_BYTES = 20 * MEGABYTE  # outputs included: a notebook's code is far smaller
MAX_FOLDER_BYTES = 60 * MEGABYTE
MAX_FILES = 200  # notebooks and scripts in one submission
MAX_ENTRIES = 5_000  # of any kind in one submission
MAX_DEPTH = 8
MAX_ZIPPED_BYTES = 100 * MEGABYTE  # of all zips in one folder, before anything is unpacked
MAX_LISTED = 10 * MAX_ENTRIES  # entries of all zips in one folder

NOTEBOOK, SCRIPT, ARCHIVE = ".ipynb", ".py", ".zip"
MARKDOWN = (".md", ".qmd", ".rmd")  # where they are notebooks
# What code may read beside it, where it is small.
DATA = (".json", ".csv", ".tsv", ".txt", ".yaml", ".yml", ".toml")
MAX_DATA_BYTES = 100_000
MAX_DATA_FILES = 50  # the others are passed over
_IGNORED = {"__pycache__", "__MACOSX"}
# O_NONBLOCK: opening a FIFO returns at once. The flags that Windows lacks are not needed there.
_FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)


class Refused(Exception):
    """What was handed in cannot be read; the message says why, and what to do next."""


@dataclass
class ParseQuota:
    """One for a whole submission: its files, its zips, and what is in them."""

    files: int = MAX_FILES
    data: int = MAX_DATA_FILES
    size: int = MAX_FOLDER_BYTES
    zipped: int = MAX_ZIPPED_BYTES
    listed: int = MAX_LISTED

    def ask(self, size: int = 0) -> None:
        """Raises Refused where nothing more, or not so much more, is read.

        It is asked before a file is opened.
        """
        if self.files <= 0:
            raise Refused(f"is one of more than {MAX_FILES} files; it is left out")
        if self.size <= 0 or self.size < size:
            message = f"comes after {MAX_FOLDER_BYTES / MEGABYTE:,.0f} MB of files; it is left out"
            raise Refused(message)

    def ask_for_zip(self) -> None:
        """The same before a zip is opened, whose list of names alone takes time."""
        self.ask()
        if self.zipped <= 0 or self.listed <= 0:
            raise Refused("comes after too much in other zips; hand in one zip of notebooks alone")

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


@dataclass(frozen=True)
class Found:
    """One submission: where it lies and the name under which its learner is marked."""

    path: Path
    learner: str


def find_submissions(path: Path | str) -> Iterator[Found]:
    """The submissions of a class in name order; a single file is one of those in its folder.

    Each `.ipynb`, `.py` or `.zip` is one learner (its stem), each sub-folder one learner (its
    name). Where two would have the same name, both keep their full names: `ann.ipynb`, `ann.zip`,
    and `ann/` for a folder. Hidden entries and other files are nobody's. Nothing is opened.
    """
    path = Path(path)
    if not os.path.isdir(path):
        yield Found(path, _name_among_others(path))
        return
    with os.scandir(path) as entries:
        folders = {entry.name: _is_folder(entry) for entry in entries if _is_submission(entry)}
    short = {name: name if folder else _stem(name) for name, folder in folders.items()}
    taken = Counter(short.values())
    for name in sorted(folders):
        learner = short[name]
        if taken[learner] > 1 or (learner != name and learner in folders):
            learner = name + "/" if folders[name] else name
        yield Found(path / name, text_of(learner))


def _name_among_others(path: Path) -> str:
    """A single submission's name, which is the one that it has when its folder is marked."""
    with suppress(OSError):  # a folder that may not be listed
        for found in find_submissions(path.parent):
            if found.path.name == path.name:
                return found.learner
    return text_of(_stem(path.name))


def read_file(path: Path | str, limit: int = MAX_FILE_BYTES) -> bytes:
    """The content of a regular file of at most `limit` bytes; raises Refused for all else."""
    try:
        _regular(os.lstat(path), limit)  # a device must not even be opened
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb", closefd=True) as file:
            _regular(os.fstat(descriptor), limit)  # it may be another file by now
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(f"cannot be read ({reason})") from None
    if len(content) > limit:
        raise Refused(_too_large(len(content), limit))
    return content


def walk(folder: Path) -> Iterator[tuple[str, Path | Refused]]:
    """Each notebook, script, archive and data file of a folder: its name inside, its path or why
    not."""
    waiting = [(folder, "", 0)]
    seen = 0
    while waiting:
        here, prefix, depth = waiting.pop()
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MAX_ENTRIES:
                        message = f"more than {MAX_ENTRIES:,} entries; the rest is left out"
                        yield prefix, Refused(message)
                        return
                    name = prefix + entry.name
                    if is_ignored(entry.name):
                        continue
                    if _is_folder(entry):
                        if depth < MAX_DEPTH:
                            waiting.append((Path(entry.path), name + "/", depth + 1))
                        else:
                            yield name, Refused("lies too deep in folders; it is left out")
                    elif suffix_of(entry.name) or is_data(entry.name):
                        yield name, Path(entry.path)
        except OSError as error:
            yield prefix or ".", Refused(f"cannot be read ({error.strerror})")


def short_name(learner: str, folded: bool = False) -> str:
    """A learner's name without what told two apart that would have shared it.

    `folded`: the same for names that differ in upper and lower case or in Unicode form alone.
    """
    short = learner.removesuffix("/") if learner.endswith("/") else _stem(learner)
    return unicodedata.normalize("NFC", short.casefold()) if folded else short


def suffix_of(name: str) -> str:
    """`.ipynb`, `.py`, `.zip` or one of Markdown, whatever its case; empty for any other name."""
    suffix = os.path.splitext(name)[1].lower()
    return suffix if suffix in (NOTEBOOK, SCRIPT, ARCHIVE, *MARKDOWN) else ""


def is_data(name: str) -> bool:
    """Whether a file of this name holds text that code may read."""
    return os.path.splitext(name)[1].lower() in DATA


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is a tool's and not a learner's."""
    return name.startswith(".") or name in _IGNORED


def text_of(name: str) -> str:
    """A file's name as text that can be stored; different names stay different."""
    if "\\udc" in name or any("\ud800" <= c <= "\udfff" for c in name):
        name = name.replace("\\", "\\\\")  # bytes that are no UTF-8 are written \udcff
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(name: str, longest: int = 120) -> str:
    """A name fit for one line of a message: no control or invisible characters, not too long."""
    start = text_of(name)[: 4 * longest]
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in start)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def _is_submission(entry: os.DirEntry[str]) -> bool:
    """Links and FIFOs too: their learner is told, instead of vanishing from the class."""
    if is_ignored(entry.name):
        return False
    if suffix_of(entry.name) not in ("", ".md"):  # which may be anything
        return True
    if _is_folder(entry):
        return True
    return not entry.is_file(follow_symlinks=False) and "." not in entry.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _stem(name: str) -> str:
    return os.path.splitext(name)[0] if suffix_of(name) else name


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
