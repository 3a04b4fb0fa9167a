"""Lays out a platform's bulk download as one folder a learner; marks nothing."""

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from ..gradebook.roster import RosterError, read_records
from ..report.standing import listed
from ..report.text import count, name_of
from ..submission.downloads import handed
from ..submission.files import MAX_FILE_BYTES, Refused, read_file
from .console import say

_ID = ("ID", "Identifier", "ID number")
_NAME = ("SIS Login ID", "SIS User ID", "Student")  # Canvas's, the most useful first
_NUMBER = re.compile(r"(\d+)\s*$")
_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
_LONGEST = 100


class ArrangeError(Exception):
    """The download or the roster cannot be used."""


@dataclass
class Arranged:
    """What became of a download."""

    learners: dict[str, str] = field(default_factory=dict)  # who → the folder
    files: int = 0
    late: set[str] = field(default_factory=set)
    platforms: Counter[str] = field(default_factory=Counter)
    nobodys: list[str] = field(default_factory=list)  # files that belong to nobody
    unread: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)  # whom the roster does not name
    idle: list[str] = field(default_factory=list)  # rows of the roster without a file


def arrange(download: Path, target: Path, roster: Path | None, out: Console) -> None:
    """Write `target`, one folder a learner, and say what was found; raises ArrangeError."""
    if target.exists() and any(target.iterdir()):
        raise ArrangeError(f"{target} is not empty; choose another folder")
    names = _roster(roster) if roster is not None else {}
    found = Arranged()
    for path, content in _files(download):
        _place(path, content, target, names, found)
    if not found.learners:
        raise ArrangeError(f"{download} holds no notebook of anybody")
    found.unknown = [found.learners[who] for who in found.learners if names and who not in names]
    found.idle = [name for who, name in names.items() if who not in found.learners]
    _tell(found, target, out)


def _place(
    path: str, content: bytes | Refused, target: Path, names: dict[str, str], found: Arranged
) -> None:
    one = handed(path)
    if one is None:
        found.nobodys.append(path)
        return
    if isinstance(content, Refused):
        found.unread.append(path)
        return
    # What an export later knows them by: Canvas's number, Moodle's name and number.
    own = f"{one.name}_{one.who}" if one.platform == "Moodle" else one.who
    name = names.get(one.who) or own
    folder = target / found.learners.setdefault(one.who, _free(_fit(name), found.learners))
    folder.mkdir(parents=True, exist_ok=True)
    file, number = _fit(one.file), 1
    while (folder / file).exists():
        number += 1
        file = f"{number}_{_fit(one.file)}"
    (folder / file).write_bytes(content)
    found.files += 1
    found.platforms[one.platform] += 1
    if one.late:
        found.late.add(folder.name)


def _free(name: str, taken: dict[str, str]) -> str:
    """The name, or one with a number where a folder that is another's would be hard to tell."""
    folded = {each.casefold() for each in taken.values()}
    free, number = name, 1
    while free.casefold() in folded:
        number += 1
        free = f"{name} ({number})"
    return free


def _fit(name: str) -> str:
    """A name that is one file or folder, wherever it comes from."""
    plain = _UNFIT.sub("_", name.encode("utf-8", "backslashreplace").decode()).lstrip(". ")
    stem, dot, end = plain.rpartition(".")
    if dot and len(end) <= 6:
        return f"{stem[:_LONGEST]}.{end}"
    return plain[:_LONGEST] or "_"


def _files(download: Path) -> Iterator[tuple[str, bytes | Refused]]:
    """Each file of a folder or a zip: its path inside, and its content or that it has none."""
    if download.is_dir():
        for path in sorted(download.rglob("*")):
            if path.is_symlink() or not path.is_dir():
                name = path.relative_to(download).as_posix()
                try:
                    yield name, read_file(path)
                except Refused as refused:
                    yield name, refused
        return
    try:
        with zipfile.ZipFile(download) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield entry.filename.replace("\\", "/"), _unpacked(archive, entry)
    except (OSError, zipfile.BadZipFile) as error:
        raise ArrangeError(f"{download} is neither a folder nor a zip: {error}") from None


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | Refused:
    try:
        with archive.open(entry) as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except Exception as error:  # zipfile raises anything on damaged or encrypted files
        return Refused(f"cannot be unpacked ({error})")
    return content if len(content) <= MAX_FILE_BYTES else Refused("is too large")


def _roster(path: Path) -> dict[str, str]:
    """The platform's number of each learner, and what to call them; empty: as their files say."""
    try:
        rows = read_records(path, _ID)
    except RosterError as error:
        raise ArrangeError(str(error)) from None
    found = {}
    for row in rows:
        number = _NUMBER.search(next(row[name] for name in _ID if name in row))
        name = next((row[each] for each in _NAME if row.get(each)), "")
        full = row.get("Full name", "")
        if number:
            found[number[1]] = name or (f"{full}_{number[1]}" if full else number[1])
    return found


def _tell(found: Arranged, target: Path, out: Console) -> None:
    kinds = " and ".join(f"{each}'s" if each != "folders" else each for each in found.platforms)
    learners = count(len(found.learners), "learner")
    lines = [f"{count(found.files, 'file')} of {learners} in {target}, by {kinds} names."]
    for heading, names in (
        ("Marked as late by the platform", sorted(found.late)),
        ("Handed in, and not in the roster", found.unknown),
        ("In the roster, and handed in nothing", found.idle),
        ("Could not be read", found.unread),
        ("Left out, as no notebook, script or zip of a learner", found.nobodys),
    ):
        if names:
            lines.append(f"{heading}: {listed([name_of(name) for name in names])}.")
    say("\n".join(lines), out)
