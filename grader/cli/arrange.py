"""Lays out a platform's bulk download as one folder a learner; marks nothing."""

import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ..curriculum.complaint import Complaint
from ..gradebook.roster import table_of, write_rows
from ..gradebook.times import HandedInAt, write_times
from ..handed_in.files import MAX_NOTEBOOK_BYTES, MAX_UNPACKED_BYTES, Refused, read_file
from ..report.standing import listed
from ..submission import find_submissions
from .arranged import Arranged, tell, tell_times
from .downloads import Handed, handed, named_below
from .fitting import folder_for, numbered
from .gradescope_export import METADATA, read_metadata
from .placing import BEYOND, NAMELESS, UNREAD, LeftOut, Placement, decide
from .platform_roster import PlatformLine, nbgrader_time, read_platform, zone_of

Content = bytes | Refused
File = tuple[str, Callable[[], Content]]  # its path in the download, and what reads it
commands = typer.Typer()
# A learner's, or an assignment's of theirs: what is nearer counts more.
_STAMP = re.compile(r"[^/]*/([^/]*/)?timestamp\.txt")


@commands.command()
def arrange(
    download: Annotated[Path, typer.Argument(exists=True, help="A platform's folder or zip.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder, for `grade`.")],
    roster: Annotated[Path | None, typer.Option(help="The platform's list of learners.")] = None,
    zone: Annotated[str, typer.Option(help="Of the times in it, such as Europe/Berlin.")] = "",
) -> None:
    """Lay out a platform's bulk download as one folder a learner."""
    if target.exists() and any(target.iterdir()):
        raise Complaint(f"{target} is not empty; choose another folder")
    rows = read_platform(roster) if roster is not None else {}
    its_zone = zone_of(zone) if zone else None
    with _files(download) as files:
        nameless = _read_gradescope(files, rows)
        placements, left_out = decide([path for path, _ in files], rows)
        written, unwritten, stamps = _write(placements, files, target)
    learners = [*dict.fromkeys(each.learner for each in placements)]
    times = stamps | {one.folder: stamps.get(one.folder, one.time(its_zone)) for one in learners}
    works = {one.folder: one.row for one in learners if one.platform == "Gradescope" and one.row}
    groups = {name: row.together for name, row in works.items() if len(row.together) > 1}
    found = Arranged(rows, learners, times, written, nameless + left_out + unwritten, groups)
    tell(found, target)
    if not learners:
        raise Complaint(f"{download} holds no notebook of anybody")
    write_times(table_of(target, "times"), times)
    if groups:
        members = [(work, each) for work, group in groups.items() for each in group]
        write_rows(table_of(target, "groups"), ("group", "learner"), members)
    tell_times(found, target)


def refuse_download(path: Path) -> None:
    """Raise Complaint where the work of several, as a platform gives it, would be one hand-in."""
    hand_ins = [each.path for each in find_submissions(path)]
    if len(hand_ins) != 1 or not (hand_ins[0].is_dir() or zipfile.is_zipfile(path)):
        return
    with _files(hand_ins[0]) as files:
        whose = [*dict.fromkeys(filter(None, (named_below(f"_/{name}") for name, _ in files)))]
    if len(whose) > 1:
        raise Complaint(
            f"{path} is a platform's download, with the work of {listed(whose)} in it: "
            "`grader arrange` lays it out, and what that writes is for `grade`"
        )


def _write(
    placements: Iterable[Placement], files: Sequence[File], target: Path
) -> tuple[int, LeftOut, dict[str, HandedInAt]]:
    """How many files are written, which are not, and what nbgrader's stamps say, by folder."""
    written, sizes = 0, Counter[str]()
    left_out: LeftOut = []
    stamps: dict[str, HandedInAt] = {}
    numbers: dict[Path, int] = {}  # in front of names, by the place
    for each in placements:
        folder = target / each.learner.folder
        folder.mkdir(parents=True, exist_ok=True)
        path, read = files[each.number]
        content = read()
        if isinstance(content, Refused):
            left_out.append((UNREAD, path))
            continue
        sizes[folder.name] += len(content)
        if sizes[folder.name] > MAX_UNPACKED_BYTES:
            left_out.append((BEYOND, path))
            continue
        stamp = each.learner.platform == "folders" and _STAMP.fullmatch(path)
        if stamp and (at := nbgrader_time(content)) and (not stamp[1] or folder.name not in stamps):
            stamps[folder.name] = at
        *within, last = each.name.split("/")
        folder = folder_for(folder, within, numbers)
        numbered(folder / last, Path.exists, numbers).write_bytes(content)
        written += 1
    return written, left_out, stamps


def _read_gradescope(files: Sequence[File], rows: dict[str, PlatformLine]) -> LeftOut:
    """Add to `rows` the list that an export of Gradescope brings; whom it knows by name alone.

    Raises Complaint where there is another list.
    """
    ones = (handed(path) for path, _ in files) if rows else ()
    if any(isinstance(one, Handed) and one.platform == "Gradescope" for one in ones):
        raise Complaint("an export of Gradescope has its own list: leave --roster out")
    nameless: LeftOut = []
    for path, read in files:
        if METADATA.fullmatch(path) and not isinstance(content := read(), Refused):
            for number, line in read_metadata(content).items():
                nameless += [(NAMELESS, f"{name} of submission_{number}") for name in line.unknown]
                if line.learners:
                    rows[number] = PlatformLine(line.learners[0], line.time, "", line.learners)
    return nameless


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
        raise Complaint(f"{download} is neither a folder nor a zip: {error}") from None
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
