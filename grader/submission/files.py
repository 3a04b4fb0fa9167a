"""Reads files that learners handed in, within bounds, following no link; opens no notebook."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MEGABYTE = 1_000_000
MAX_FILE_BYTES = 20 * MEGABYTE  # without outputs: a notebook's code is far smaller
MAX_NOTEBOOK_BYTES = 100 * MEGABYTE  # with them
MAX_FOLDER_BYTES = 60 * MEGABYTE  # without outputs
MAX_UNPACKED_BYTES = 300 * MEGABYTE  # of one submission, outputs included
MAX_FILES = 200  # notebooks and scripts in one submission
MAX_ENTRIES = 5_000  # of any kind in one submission
MAX_DEPTH = 8
MAX_ZIPPED_BYTES = 100 * MEGABYTE  # of all zips in one folder, before anything is unpacked
MAX_LISTED = 10 * MAX_ENTRIES  # entries of all zips in one folder

NOTEBOOK, SCRIPT = ".ipynb", ".py"
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".tbz2", ".xz", ".txz", ".7z", ".rar", ".zst")
MARKDOWN = (".md", ".qmd", ".rmd")  # where they are notebooks
# What code may read beside it, where it is small.
DATA = (".json", ".csv", ".tsv", ".txt", ".yaml", ".yml", ".toml")
MAX_DATA_BYTES = 100_000
MAX_DATA_FILES = 50  # the others are passed over
_NAMED = 5  # files of other kinds, where there is nothing else
_BY_BROWSERS = (".txt", ".json")  # what a browser adds to the name of a notebook that it saves
_IGNORED = {
    *("__pycache__", "__MACOSX", ".git", ".github", ".ipynb_checkpoints", ".virtual_documents"),
    *(".venv", ".vscode", ".idea", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".cache"),
    *(".config", ".local", ".jupyter", ".ipython", ".kept", ".conda", ".ssh", ".svn", ".hg"),
    *(".ipynb_aml_checkpoints", ".history", ".npm", ".tox", ".nox", ".eggs", ".pyenv", ".pixi"),
    *(".virtualenvs", ".vscode-server", ".cursor", ".ropeproject", ".quarto", ".jupyter_cache"),
    *("Thumbs.db", "desktop.ini", "Icon\r"),
}
# What has no suffix, and is called like no work.
_ABOUT = {
    *("readme", "license", "licence", "copying", "notice", "authors", "contributors", "citation"),
    *("changelog", "version", "makefile", "dockerfile", "procfile", "pipfile", "requirements"),
}
# `softmax.py.bak`, `.04.ipynb`, `04.ipynb.icloud`; no `x.pyc`
_LIKE_WORK = re.compile(r"\.(?:ipynb|py)(?![a-z])", re.IGNORECASE)
_BY_SYSTEMS = re.compile(r"\.sw[a-p]$|:Zone\.Identifier$|\.(?:png|jpe?g|gif|svg)$", re.IGNORECASE)
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
    """Each file of a folder that is no tool's: its name inside, its path or why not.

    One that is hidden, or in a folder that is, is among them where it may be work; it comes last.
    """
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
                    hidden = is_hidden(name)
                    if not is_folder(entry):
                        if not hidden or may_be_work(name):
                            yield name, Path(entry.path)
                    elif is_tools(entry.name):
                        continue
                    elif depth < MAX_DEPTH:
                        at = 0 if hidden else len(waiting)
                        waiting.insert(at, (Path(entry.path), name + "/", depth + 1))
                    else:
                        yield name, Refused("lies too deep in folders; it is left out")
        except OSError as error:
            yield prefix or ".", Refused(f"cannot be read ({error.strerror})")


def suffix_of(name: str) -> str:
    """`.ipynb`, `.py`, one of an archive or of Markdown, whatever its case; empty for any other."""
    suffix = os.path.splitext(without_added(name))[1].lower()
    return suffix if suffix in (NOTEBOOK, SCRIPT, *ARCHIVES, *MARKDOWN) else ""


def without_added(name: str) -> str:
    """The name without the `.txt` that a browser has put behind `.ipynb` or `.py`."""
    inner, last = os.path.splitext(name)
    is_added = last.lower() in _BY_BROWSERS and inner.lower().endswith((NOTEBOOK, SCRIPT))
    return inner if is_added else name


def place(name: str) -> tuple[int, bool, str]:
    """Its place: notebooks, scripts, data; what a browser called otherwise before its original."""
    suffix = suffix_of(name)
    order = 0 if suffix in (NOTEBOOK, *MARKDOWN) else 1 if suffix == SCRIPT else 2
    return order, name == without_added(name), name


def is_archive(name: str) -> bool:
    """Whether a file of this name has others in it."""
    return suffix_of(name) in ARCHIVES


def is_data(name: str) -> bool:
    """Whether a file of this name holds text that code may read."""
    return os.path.splitext(without_added(name))[1].lower() in DATA


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is hidden, or a tool's and not a learner's."""
    return name.startswith(".") or name in _IGNORED


def is_tools(name: str) -> bool:
    """Whether it is known which tool keeps a file or folder of this name."""
    return name.startswith(("._", ".Trash", ".~", ".#", ".nfs")) or name in _IGNORED


def is_hidden(name: str) -> bool:
    """Whether a file, or a folder on the way to it, is hidden or a tool's."""
    return any(is_ignored(part) for part in _parts(name) if part not in (".", ".."))


def may_be_work(name: str) -> bool:
    """Whether a file that is not read, as it is hidden or of another kind, is called like work.

    One without a suffix may be anything, and so it is.
    """
    *_, last = parts = _parts(name)
    if any(map(is_tools, parts)) or _BY_SYSTEMS.search(last):
        return False
    if is_hidden(name):  # of its name a suffix may be all
        return bool(_LIKE_WORK.search(last)) or suffix_of(f"_{last}") not in ("", ".md")
    is_bare = last and "." not in last and last.casefold() not in _ABOUT
    return bool(is_bare or _LIKE_WORK.search(last))


def _parts(name: str) -> list[str]:
    return name.replace("\\", "/").split("/")


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
