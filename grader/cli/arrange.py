"""Lays out a platform's bulk download as one folder a learner; marks nothing."""

import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

from ..curriculum.complaint import Complaint
from ..gradebook.groups import groups_of
from ..gradebook.roster import canvas_user, is_like_canvas_user, write_rows
from ..gradebook.times import HandedInAt, times_of, write_times
from ..submission.file_names import is_ignored, printable
from ..submission.files import (
    MAX_DEPTH,
    MAX_NOTEBOOK_BYTES,
    MAX_UNPACKED_BYTES,
    Refused,
    read_file,
)
from .arranged import Arranged, tell, tell_times
from .downloads import Handed, TwoReadings, handed, named_below
from .fitting import LONGEST, fit, folder_for, free, numbered
from .gradescope_export import METADATA, read_metadata
from .platform_roster import (
    PlatformLine,
    begun_alike,
    nbgrader_time,
    read_platform,
    zone_of,
)

Content = bytes | Refused
File = tuple[str, Callable[[], Content]]  # its path in the download, and what reads it
commands = typer.Typer()


class ArrangeError(Complaint):
    """The download or the roster cannot be used."""


@commands.command()
def arrange(
    download: Annotated[Path, typer.Argument(exists=True, help="A platform's folder or zip.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder, for `grade`.")],
    roster: Annotated[Path | None, typer.Option(help="The platform's list of learners.")] = None,
    zone: Annotated[str, typer.Option(help="Of the times in it, such as Europe/Berlin.")] = "",
) -> None:
    """Lay out a platform's bulk download as one folder a learner."""
    if target.exists() and any(target.iterdir()):
        raise ArrangeError(f"{target} is not empty; choose another folder")
    rows = read_platform(roster) if roster is not None else {}
    its_zone = zone_of(zone) if zone else None
    found = Arranged(rows)
    with _files(download) as files:
        _read_gradescope(found, files)
        have = _place_all(files, target, found)
    found.without = {folder for who, folder in found.learners.items() if who not in have}
    if not found.learners:
        tell(found, target)
        raise ArrangeError(f"{download} holds no notebook of anybody")
    _read_times(found, its_zone)
    write_times(times_of(target), found.times)
    if found.groups:
        members = [(work, each) for work, group in found.groups.items() for each in group]
        write_rows(groups_of(target), ("group", "learner"), members)
    tell(found, target)
    tell_times(found, target)


def _place_all(files: Sequence[File], target: Path, found: Arranged) -> set[tuple[str, str]]:
    """Lay out each file in its learner's folder; who has something in which an answer may be."""
    packed = _downloads_within([path for path, _ in files])
    whose = [one for one in (handed(path) for path, _ in files) if isinstance(one, Handed)]
    folders = {one.who for one in whose if one.platform == "folders"}
    found.repositories = begun_alike(folders, found.rows.values())
    others: list[tuple[str, Handed, Callable[[], Content]]] = []
    have: set[tuple[str, str]] = set()
    for path, read in files:
        if METADATA.fullmatch(path):
            continue
        one = _whose(path, found, packed)
        if one is None:
            continue
        if one.is_kept:
            _place(path, one, read, target, found)
        else:
            others.append((path, one, read))
        if one.may_answer:
            have.add((one.platform, one.who))
    # Of whom there is nothing else, what there is goes along: marking then says what it is.
    for path, one, read in others:
        if (one.platform, one.who) in have:
            found.passed_over[one.tools or Path(one.file).suffix.lower() or "no suffix"] += 1
        else:
            _place(path, one, read, target, found)
    return have


def _whose(path: str, found: Arranged, packed: set[str]) -> Handed | None:
    """Whose a file is; where nobody can tell, it is listed."""
    one = handed(path)
    if one is None and is_ignored(path.partition("/")[0]):
        found.passed_over[path.partition("/")[0]] += 1
        return None
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
    found.sizes[folder.name] += len(content)
    if found.sizes[folder.name] > MAX_UNPACKED_BYTES:
        found.beyond.append(path)
        return
    if one.platform == "folders" and one.file.rpartition("/")[2] == "timestamp.txt":
        at = nbgrader_time(content)
        depth = one.file.count("/")  # the learner's, or an assignment's of it; nearer counts more
        if at is not None and (depth == 0 or (depth == 1 and folder.name not in found.times)):
            found.times[folder.name] = at
    if one.tools:  # nothing that is read, and a person may look at it
        folder = folder / (".ipynb_checkpoints" if one.tools == ".ipynb_checkpoints" else ".kept")
        folder.mkdir(exist_ok=True)
    *within, last = [fit(part) for part in one.file.split("/") if part]
    if one.tools or len(within) > MAX_DEPTH:
        within, last = [], fit(one.file)
    if one.is_hidden:  # as it was: beside what is not, it counts for nothing, and marking says so
        *within, last = [re.sub(r"^_\.", ".", part) for part in (*within, last)]
    # What lies in folders stays there: it counts less than what lies on top.
    folder = folder_for(folder, within, found.numbers)
    numbered(folder / last, Path.exists, found.numbers).write_bytes(content)
    found.files += 1


def _read_gradescope(found: Arranged, files: Sequence[File]) -> None:
    """The list that an export of Gradescope brings; raises ArrangeError beside another one."""
    ones = (handed(path) for path, _ in files) if found.rows else ()
    if any(isinstance(one, Handed) and one.platform == "Gradescope" for one in ones):
        raise ArrangeError("an export of Gradescope has its own list: leave --roster out")
    for path, read in files:
        content = read() if METADATA.fullmatch(path) else Refused()
        if isinstance(content, Refused):
            continue
        for number, line in read_metadata(content).items():
            found.nameless += [f"{name} of submission_{number}" for name in line.unknown]
            if line.learners:
                found.rows[number] = PlatformLine(line.learners[0], line.time)
                found.together[number] = line.learners


def _read_times(found: Arranged, zone: ZoneInfo | None) -> None:
    """What the platform's list says; a line for everybody, with an empty time where none does."""
    for (platform, who), folder in found.learners.items():
        row = found.rows.get(who) if platform != "folders" else None
        if row is not None and row.time is not None and row.time.tzinfo is not None:
            found.times[folder] = HandedInAt(row.time, "as written", f"{platform}'s list")
        elif row is not None and row.time is not None and zone is not None:
            shown = row.time.replace(tzinfo=zone)
            source = f"{platform}'s list, in {zone.key}"
            found.times[folder] = HandedInAt(shown, zone.key, source)
        found.times.setdefault(folder, HandedInAt(source="nobody has said"))


def _downloads_within(paths: Sequence[str]) -> set[str]:
    """The folders that look like a learner's and hold files of several by a platform's names.

    So does the only folder of all with a single one: it may be a download of one hand-in. Raises
    ArrangeError where that only folder holds nothing but folders, each of which may be a learner's.
    """
    tops: dict[str, set[str]] = {}
    below: set[str] = set()
    for path in paths:
        one = handed(path)
        if isinstance(one, Handed) and one.is_read:
            below.add(one.file.rpartition("/")[0].partition("/")[0])
            if one.platform == "folders":
                tops.setdefault(one.who, set()).add(named_below(path))
            else:
                below.add("")
    if len(tops) == 1 and len(below) > 1 and "" not in below:
        (only,) = tops
        raise ArrangeError(
            f"all of it lies in one folder, {printable(only)}: if that holds a folder for each "
            "learner, unpack, and give that folder alone; if it is one learner's, grade it as it is"
        )
    return {top for top, whose in tops.items() if len(whose - {""}) >= min(2, len(tops))}


def _folder(one: Handed, found: Arranged) -> str:
    """The learner's, which is made up once."""
    who = one.platform, one.who
    if who not in found.learners:
        # What an export later knows them by: Canvas's number, Moodle's name and number.
        kept = fit(one.name, LONGEST - len(one.who) - 1)  # a number that is cut is another's
        own = {"Moodle": f"{kept}_{one.who}", "Canvas": canvas_user(one.who)}
        own["Gradescope"] = one.name
        row = found.rows.get(one.who)
        if one.platform == "folders":  # the only one whose repository it may be
            rows = found.repositories.get(one.who, [])
            row = rows[0] if len(rows) == 1 else None
        known = own.get(one.platform, one.who)
        # A login that is no folder's name would become another one, which may be somebody's.
        name = row.name if row and fit(row.name) == row.name else fit(known)
        is_ours = one.platform == "Canvas" and name == canvas_user(one.who)
        if is_like_canvas_user(name) and not is_ours:
            name = f"_{name}"
            found.unlike.append(name)
        found.learners[who] = free(name, found.learners.values())
        if found.learners[who] != name:
            found.renamed.append(found.learners[who])
        if len(found.together.get(one.who, ())) > 1 and one.platform == "Gradescope":
            found.groups[found.learners[who]] = found.together[one.who]
    return found.learners[who]


@contextmanager
def _files(download: Path) -> Iterator[list[File]]:
    """Each file of a folder or a zip."""
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
