"""Lays out a platform's bulk download as one folder a learner; marks nothing."""

import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rich.console import Console

from ..gradebook.roster import RosterError, read_records
from ..report.standing import listed
from ..report.text import count, name_of
from ..submission.downloads import Handed, TwoReadings, handed, named_below
from ..submission.files import MAX_FILE_BYTES, Refused, printable, read_file
from .console import say

_ID = ("ID", "Identifier", "ID number")
_NAME = ("SIS Login ID", "SIS User ID", "Student")  # Canvas's, the most useful first
_NUMBER = re.compile(r"(\d+)\s*$")
_UNFIT = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
_LONGEST = 100  # bytes

Content = bytes | Refused
_IN_DOUBT = (
    "Left out, as the name can be read in two ways. Find out whose each is and put it into that "
    "learner's folder; a download that lies in a folder, unpack, and give that folder alone:"
)


class ArrangeError(Exception):
    """The download or the roster cannot be used."""


@dataclass
class Arranged:
    """What became of a download."""

    learners: dict[tuple[str, str], str] = field(default_factory=dict)  # platform, who → the folder
    files: int = 0
    late: set[str] = field(default_factory=set)
    platforms: Counter[str] = field(default_factory=Counter)
    nobodys: list[str] = field(default_factory=list)  # files that belong to nobody
    in_doubt: list[str] = field(default_factory=list)  # files that may be one's or another's
    renamed: list[str] = field(default_factory=list)  # folders of whom another had the name of
    unread: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)  # whom the roster does not name
    idle: list[str] = field(default_factory=list)  # rows of the roster without a file


def arrange(download: Path, target: Path, roster: Path | None, out: Console) -> None:
    """Write `target`, one folder a learner, and say what was found; raises ArrangeError."""
    if target.exists() and any(target.iterdir()):
        raise ArrangeError(f"{target} is not empty; choose another folder")
    names = _roster(roster) if roster is not None else {}
    found = Arranged()
    with _files(download) as files:
        packed = _downloads_within([path for path, _ in files])
        for path, read in files:
            _place(path, read, target, names, found, packed)
    if not found.learners:
        _tell(found, target, out)
        raise ArrangeError(f"{download} holds no notebook of anybody")
    known = {who for platform, who in found.learners if platform != "folders"}
    found.unknown = [folder for (_, who), folder in found.learners.items() if who not in names]
    found.unknown = found.unknown if names else []
    found.idle = [name for who, name in names.items() if who not in known]
    _tell(found, target, out)


def _downloads_within(paths: Sequence[str]) -> set[str]:
    """The folders that look like a learner's and hold files of several by a platform's names.

    So does the only folder of all with a single one: it may be a download of one hand-in.
    """
    tops: dict[str, set[str]] = {}
    for path in paths:
        one = handed(path)
        if isinstance(one, Handed) and one.platform == "folders":
            tops.setdefault(one.who, set()).add(named_below(path))
    return {top for top, whose in tops.items() if len(whose - {""}) >= min(2, len(tops))}


def _place(
    path: str,
    read: Callable[[], Content],
    target: Path,
    names: dict[str, str],
    found: Arranged,
    packed: set[str],
) -> None:
    one = handed(path)
    if one is None:
        found.nobodys.append(path)
        return
    if isinstance(one, Handed) and one.platform == "folders" and one.who in packed:
        one = TwoReadings((one.who, named_below(path) or "nobody"))
    if isinstance(one, TwoReadings):
        found.in_doubt.append(f"{path}: of {' or of '.join(one.whose)}")
        return
    content = read()
    if isinstance(content, Refused):
        found.unread.append(path)
        return
    folder = target / _folder(one, names, found)
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


def _folder(one: Handed, names: dict[str, str], found: Arranged) -> str:
    """The learner's, which is made up once."""
    who = one.platform, one.who
    if who not in found.learners:
        # What an export later knows them by: Canvas's number, Moodle's name and number.
        own = f"{_fit(one.name)}_{one.who}" if one.platform == "Moodle" else one.who
        name = _fit((names.get(one.who) if one.platform != "folders" else "") or own)
        found.learners[who] = _free(name, found.learners.values())
        if found.learners[who] != name:
            found.renamed.append(found.learners[who])
    return found.learners[who]


def _free(name: str, taken: Iterable[str]) -> str:
    """The name, or one with a number where a folder that is another's would be hard to tell."""

    def folded(each: str) -> str:
        return unicodedata.normalize("NFC", each.casefold())

    others = {*map(folded, taken)}
    free, number = name, 1
    while folded(free) in others:
        number += 1
        free = f"{name} ({number})"
    return free


def _fit(name: str) -> str:
    """A name that is one file or folder, wherever it comes from, and no hidden one."""
    plain = _UNFIT.sub("_", name.encode("utf-8", "backslashreplace").decode())
    if plain[:1] in ("", ".", " "):
        plain = f"_{plain}"
    stem, dot, end = plain.rpartition(".")
    if not dot or len(end) > 6:
        stem, dot, end = plain, "", ""
    return stem.encode()[:_LONGEST].decode(errors="ignore") + dot + end


@contextmanager
def _files(download: Path) -> Iterator[list[tuple[str, Callable[[], Content]]]]:
    """Each file of a folder or a zip: its path inside, and what reads it."""
    if download.is_dir():
        paths = [p for p in sorted(download.rglob("*")) if p.is_symlink() or not p.is_dir()]
        yield [(p.relative_to(download).as_posix(), partial(_content, p)) for p in paths]
        return
    try:
        archive = zipfile.ZipFile(download)
    except (OSError, zipfile.BadZipFile) as error:
        raise ArrangeError(f"{download} is neither a folder nor a zip: {error}") from None
    with archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        yield [(e.filename.replace("\\", "/"), partial(_unpacked, archive, e)) for e in entries]


def _content(path: Path) -> Content:
    try:
        return read_file(path)
    except Refused as refused:
        return refused


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Content:
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
        ("Called otherwise, as another learner had the name", found.renamed),
        ("Could not be read", found.unread),
        ("Left out, as no notebook, script or zip of a learner", found.nobodys),
    ):
        if names:
            lines.append(f"{heading}: {listed([name_of(name) for name in names])}.")
    if found.in_doubt:
        lines += [_IN_DOUBT, *(f"  {printable(each, 500)}" for each in found.in_doubt)]
    say("\n".join(lines), out)
