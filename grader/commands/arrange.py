"""Lays out a platform's bulk download as one folder a learner; marks nothing."""

import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from rich.console import Console

from ..gradebook.roster import RosterError, canvas_user
from ..gradebook.times import HandedInAt, TimesError, times_of, write_times
from ..report.standing import listed
from ..report.text import count, name_of
from ..submission.downloads import Handed, TwoReadings, handed, named_below
from ..submission.files import MAX_NOTEBOOK_BYTES, Refused, printable, read_file
from .console import say
from .platform_roster import PlatformLine, nbgrader_time, read_platform, zone_of

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

    rows: Mapping[str, PlatformLine]  # the platform's list, by its numbers
    learners: dict[tuple[str, str], str] = field(default_factory=dict)  # platform, who → the folder
    files: int = 0
    times: dict[str, HandedInAt] = field(default_factory=dict)
    platforms: Counter[str] = field(default_factory=Counter)
    without: set[str] = field(default_factory=set)  # who have no file of a kind that is read
    passed_over: Counter[str] = field(default_factory=Counter)  # other files, by their suffix
    nobodys: list[str] = field(default_factory=list)  # files that belong to nobody
    in_doubt: list[str] = field(default_factory=list)  # files that may be one's or another's
    renamed: list[str] = field(default_factory=list)  # folders of whom another had the name of
    unread: list[str] = field(default_factory=list)


def arrange(download: Path, target: Path, roster: Path | None, zone: str, out: Console) -> None:
    """Write `target`, one folder a learner, and beside it who handed in when; say what was found.

    `zone` is that of the times in the roster. Raises ArrangeError.
    """
    if target.exists() and any(target.iterdir()):
        raise ArrangeError(f"{target} is not empty; choose another folder")
    try:
        rows = read_platform(roster) if roster is not None else {}
        its_zone = zone_of(zone) if zone else None
    except (RosterError, TimesError) as error:
        raise ArrangeError(str(error)) from None
    found = Arranged(rows)
    with _files(download) as files:
        packed = _downloads_within([path for path, _ in files])
        others: list[tuple[str, Handed, Callable[[], Content]]] = []
        for path, read in files:
            one = _whose(path, found, packed)
            if one is None:
                continue
            if one.is_read:
                _place(path, one, read, target, found)
            else:
                others.append((path, one, read))
        # Of whom there is nothing else, what there is goes along: marking then says what it is.
        have = {*found.learners}
        for path, one, read in others:
            if (one.platform, one.who) in have:
                found.passed_over[Path(one.file).suffix.lower() or "no suffix"] += 1
            else:
                _place(path, one, read, target, found)
                found.without.add(found.learners[one.platform, one.who])
    if not found.learners:
        _tell(found, target, out)
        raise ArrangeError(f"{download} holds no notebook of anybody")
    _read_times(found, its_zone)
    write_times(times_of(target), found.times)
    _tell(found, target, out)
    _tell_times(found, target, out)


def _whose(path: str, found: Arranged, packed: set[str]) -> Handed | None:
    """Whose a file is; where nobody can tell, it is listed."""
    one = handed(path)
    if one is None:
        found.nobodys.append(path)
        return None
    if isinstance(one, Handed) and one.platform == "folders" and one.who in packed:
        one = TwoReadings((one.who, named_below(path) or "nobody"))
    if isinstance(one, TwoReadings):
        found.in_doubt.append(f"{path}: of {' or of '.join(one.whose)}")
        return None
    return one


def _place(
    path: str, one: Handed, read: Callable[[], Content], target: Path, found: Arranged
) -> None:
    folder = target / _folder(one, found)
    folder.mkdir(parents=True, exist_ok=True)
    found.platforms[one.platform] += 1
    content = read()
    if one.platform == "Canvas":
        said = found.times.get(folder.name)
        told = "by the mark LATE" if one.late else "without the mark LATE"
        if said is None or one.late:
            found.times[folder.name] = HandedInAt(source=f"Canvas, {told}", late=one.late)
    if isinstance(content, Refused):
        found.unread.append(path)
        return
    if one.platform == "folders" and one.file.rpartition("/")[2] == "timestamp.txt":
        at = nbgrader_time(content)
        depth = one.file.count("/")  # the learner's, or an assignment's of it; nearer counts more
        if at is not None and (depth == 0 or (depth == 1 and folder.name not in found.times)):
            found.times[folder.name] = at
    file, number = _fit(one.file), 1
    while (folder / file).exists():
        number += 1
        file = f"{number}_{_fit(one.file)}"
    (folder / file).write_bytes(content)
    found.files += 1


def _read_times(found: Arranged, zone: ZoneInfo | None) -> None:
    """What the platform's list says; a line for everybody, with an empty time where none does."""
    for (platform, who), folder in found.learners.items():
        row = found.rows.get(who) if platform != "folders" else None
        if row is not None and row.time is not None and zone is not None:
            shown = row.time.replace(tzinfo=zone)
            source = f"{platform}'s list, in {zone.key}"
            found.times[folder] = HandedInAt(shown, zone.key, source)
        found.times.setdefault(folder, HandedInAt(source="nobody has said"))


def _downloads_within(paths: Sequence[str]) -> set[str]:
    """The folders that look like a learner's and hold files of several by a platform's names.

    So does the only folder of all with a single one: it may be a download of one hand-in.
    """
    tops: dict[str, set[str]] = {}
    for path in paths:
        one = handed(path)
        if isinstance(one, Handed) and one.platform == "folders" and one.is_read:
            tops.setdefault(one.who, set()).add(named_below(path))
    return {top for top, whose in tops.items() if len(whose - {""}) >= min(2, len(tops))}


def _folder(one: Handed, found: Arranged) -> str:
    """The learner's, which is made up once."""
    who = one.platform, one.who
    if who not in found.learners:
        # What an export later knows them by: Canvas's number, Moodle's name and number.
        own = {"Moodle": f"{one.name}_{one.who}", "Canvas": canvas_user(one.who)}
        row = found.rows.get(one.who) if one.platform != "folders" else None
        known = own.get(one.platform, one.who)
        # A login that is no folder's name would become another one, which may be somebody's.
        name = row.name if row and _fit(row.name) == row.name else _fit(known)
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
        return read_file(path, MAX_NOTEBOOK_BYTES)
    except Refused as refused:
        return refused


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Content:
    try:
        with archive.open(entry) as file:
            content = file.read(MAX_NOTEBOOK_BYTES + 1)
    except Exception as error:  # zipfile raises anything on damaged or encrypted files
        return Refused(f"cannot be unpacked ({error})")
    return content if len(content) <= MAX_NOTEBOOK_BYTES else Refused("is too large")


def _tell(found: Arranged, target: Path, out: Console) -> None:
    kinds = " and ".join(f"{each}'s" if each != "folders" else each for each in found.platforms)
    learners = count(len(found.learners), "learner")
    lines = [f"{count(found.files, 'file')} of {learners} in {target}, by {kinds} names."]
    names = {row.name for row in found.rows.values()}
    strangers = [
        folder
        for (platform, who), folder in found.learners.items()
        if found.rows and (folder not in names if platform == "folders" else who not in found.rows)
    ]
    known = {*(who for platform, who in found.learners if platform != "folders")}
    idle = [
        row.name
        for who, row in found.rows.items()
        if who not in known and row.name not in found.learners.values()
    ]
    for heading, told in (
        ("Marked as late by the platform", sorted(n for n, at in found.times.items() if at.late)),
        ("Handed in, and not in the roster", strangers),
        ("In the roster, and handed in nothing", idle),
        ("Handed in no notebook, script or archive, which marking will say", sorted(found.without)),
        ("Called otherwise, as another learner had the name", found.renamed),
        ("Could not be read", found.unread),
        ("Left out, as no name says whose they are", found.nobodys),
    ):
        if told:
            lines.append(f"{heading}: {listed([name_of(name) for name in told])}.")
    if found.passed_over:
        others = found.passed_over.most_common(20)
        kinds = ", ".join(f"{number} {printable(suffix, 20)}" for suffix, number in others)
        lines.append(f"Passed over beside notebooks, as of other kinds: {kinds}.")
    if found.in_doubt:
        lines += [_IN_DOUBT, *(f"  {printable(each, 500)}" for each in found.in_doubt)]
    say("\n".join(lines), out)


def _tell_times(found: Arranged, target: Path, out: Console) -> None:
    """Where the times are from, and who has none."""
    sources = Counter(at.source for at in found.times.values() if at.time)
    told = "; ".join(f"{number} by {source}" for source, number in sources.items())
    path = times_of(target)
    said = [f"{path} has who handed in when: {told or 'no time'}."]
    timeless = [(name, at.late) for name, at in sorted(found.times.items()) if at.time is None]
    unknown = [name_of(name) for name, is_late in timeless if is_late is None]
    late = [name_of(name) for name, is_late in timeless if is_late]
    if any(row.time for row in found.rows.values()) and not sources:
        said.append(
            "The roster has times, but not in which zone: give --zone, that of whoever downloaded "
            "it, such as --zone Europe/Berlin."
        )
    if late:
        said.append(f"Late, and nobody has said when: {listed(late)}. Write their times there.")
    if unknown:
        said.append(f"Without a time: {listed(unknown)}.")
    say("\n".join(said), out)
