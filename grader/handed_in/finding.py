"""Finds the submissions of a class by the names of files, and who is meant; opens JSON alone."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from .as_json import as_notebook, called, may_be_notebook
from .file_names import (
    PAGES,
    is_archive,
    is_ignored,
    is_tools,
    may_be_work,
    printable,
    suffix_of,
    text_of,
    without_added,
)
from .files import is_folder

_NOTES = (
    "Markdown, and a page, may be notes or a notebook, and is read in a folder alone: if it is "
    "somebody's work, put it into a folder of that name"
)
_OTHER = (
    "neither a notebook (.ipynb), a .py file, an archive nor a folder: if it is somebody's work, "
    "ask for their notebook"
)
_HIDDEN = (
    "its name begins with a dot, so it is hidden and was not read: if it is somebody's work, give "
    "it their name"
)
_SPELT = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|n)")


@dataclass(frozen=True)
class Found:
    """One submission: where it lies and the name under which its learner is marked."""

    path: Path
    learner: str
    shared: str = ""  # the short name that nobody goes by, as others would have it too


def find_submissions(path: Path | str) -> Iterator[Found]:
    """The submissions of a class in name order; a single file is one of those in its folder.

    Each `.ipynb`, `.py` or archive, and each notebook that was saved as `.json`, is one learner
    (its stem), each sub-folder one learner (its name). Where two would have the same name, both
    keep their full names: `ann.ipynb`, `ann.zip`, and `ann/` for a folder. What is hidden is
    nobody's, and `nobodys` names all other files.
    """
    path = Path(path)
    if not os.path.isdir(path):
        yield _among_others(path)
        return
    with os.scandir(path) as entries:
        folders = {entry.name: is_folder(entry) for entry in entries if _is_submission(entry)}
    short = {n: n if folder else _stem(called(path / n)) for n, folder in folders.items()}
    taken = Counter(short.values())
    for name in sorted(folders):
        learner, shared = short[name], ""
        if taken[learner] > 1 or (learner != name and learner in folders):
            learner, shared = name + "/" if folders[name] else name, text_of(learner)
        yield Found(path / name, text_of(learner), shared)


def nobodys(path: Path | str) -> list[str]:
    """The files of a class that are no submission, each with why and what to do, in name order."""
    if not os.path.isdir(path):
        return []
    with os.scandir(path) as entries:
        reasons = {e.name: _why_nobodys(e) for e in entries if not _is_submission(e)}
    return [f"{printable(name)}: {reason}" for name, reason in sorted(reasons.items()) if reason]


def _why_nobodys(entry: os.DirEntry[str]) -> str:
    """Why it is no submission; empty where it is a tool's."""
    name = entry.name
    if is_ignored(name):
        return _HIDDEN if not is_tools(name) and (is_folder(entry) or may_be_work(name)) else ""
    return _NOTES if suffix_of(name) else _OTHER


def _among_others(path: Path) -> Found:
    """A single submission under the name that it has when its folder is marked."""
    with suppress(OSError):  # a folder that may not be listed
        for found in find_submissions(path.parent):
            if found.path.name == path.name:
                return replace(found, path=path)
    return Found(path, text_of(_stem(called(path))))


def short_name(learner: str) -> str:
    """A learner's name without what told two apart that would have shared it.

    The same for names that differ in case, Unicode form, blanks or signs without a shape alone, or
    of which one spells a character (`\\x1b`) that the other has: shown, they are one.
    """
    file = as_notebook(learner) if may_be_notebook(learner) else learner
    short = learner.removesuffix("/") if learner.endswith("/") else _stem(file)
    short = _SPELT.sub(lambda found: chr(int(found[1] or found[2] or "a", 16)), short)
    shown = (char for char in short.casefold() if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFC", " ".join("".join(shown).split()))


def _is_submission(entry: os.DirEntry[str]) -> bool:
    """Links and FIFOs too: their learner is told, instead of vanishing from the class."""
    if is_ignored(entry.name):
        return False
    if suffix_of(called(Path(entry.path))) not in ("", ".md", *PAGES):  # which may be anything
        return True
    if is_folder(entry):
        return True
    return not entry.is_file(follow_symlinks=False) and "." not in entry.name


def _stem(name: str) -> str:
    """Without the suffix, or the two of an `ann.tar.gz` or an `ann.ipynb.zip`."""
    stem, _ = os.path.splitext(without_added(name)) if suffix_of(name) else (name, "")
    if not is_archive(name):
        return stem
    inner, suffix = os.path.splitext(stem)
    return inner if inner and (suffix.lower() == ".tar" or suffix_of(stem)) else stem
