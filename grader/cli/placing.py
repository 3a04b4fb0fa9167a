"""Decides where each file of a download goes, by names and lists alone; opens no file."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from zoneinfo import ZoneInfo

from ..curriculum.complaint import Complaint
from ..gradebook.roster import canvas_user, is_like_canvas_user
from ..gradebook.times import HandedInAt
from ..handed_in.file_names import is_ignored, printable
from ..handed_in.files import MAX_DEPTH
from .downloads import Handed, TwoReadings, Whose, handed, named_below
from .fitting import LONGEST, fit, free
from .gradescope_export import METADATA
from .platform_roster import PlatformLine, Rows, begun_alike

# Why a file is left out.
NOBODYS = "Left out, as no name says whose they are"
BEYOND = "Left out, as no more is read of one learner"
NAMELESS = "Without an e-mail or a student's ID, so nobody's until you say whose"
UNREAD = "Could not be read"
PASSED_OVER = "Passed over beside notebooks, as of other kinds"
IN_DOUBT = (
    "Left out, as the name can be read in two ways. Find out whose each is and put it into that "
    "learner's folder; a download that lies in a folder, unpack, and give that folder alone"
)
LeftOut = list[tuple[str, str]]  # why, and what is told of it
_Read = Handed | TwoReadings | None  # what the name of a file says


@dataclass(frozen=True)
class Participant:
    """Somebody of whom there are files."""

    platform: str
    who: str  # there
    row: PlatformLine | None  # of its list
    name: str
    folder: str  # of that name, or nearly: another's may be called so
    is_late: bool  # by Canvas' mark
    may_answer: bool  # some file is of a kind that is read

    def time(self, zone: ZoneInfo | None) -> HandedInAt:
        """When they handed in, as far as the list says, in this zone, or the mark."""
        time, source = self.row.time if self.row else None, f"{self.platform}'s list"
        if time is not None and time.tzinfo is not None:
            return HandedInAt(time, "as written", source)
        if time is not None and zone is not None:
            return HandedInAt(time.replace(tzinfo=zone), zone.key, f"{source}, in {zone.key}")
        if self.platform == "Canvas":
            told = f"Canvas, {'by' if self.is_late else 'without'} the mark LATE"
            return HandedInAt(source=told, late=self.is_late)
        return HandedInAt(source="nobody has said")


@dataclass(frozen=True)
class Placement:
    """Where one file goes."""

    number: int  # of the file in the download
    learner: Participant
    name: str  # in the learner's folder


def decide(paths: Sequence[str], rows: Rows) -> tuple[list[Placement], LeftOut]:
    """Where files go, in the order in which they take names; the others. Raises Complaint."""
    ones = [*map(handed, paths)]
    every, left_out = _named(paths, ones)
    placed = {number: one for number, one in every.items() if one.is_kept}
    answering = {one.learner for one in placed.values() if one.may_answer}
    for number, one in every.items():
        # Of whom there is nothing else, what there is goes along: marking then says what it is.
        if one.learner not in answering:
            placed.setdefault(number, one)
        elif not one.is_kept:
            kind = one.tools or PurePath(one.file).suffix.lower() or "no suffix"
            left_out.append((PASSED_OVER, kind))
    known = [one for one in ones if isinstance(one, Handed)]
    folders = {one.who for one in known if one.platform == "folders"}
    learners = _learners(placed.values(), rows, begun_alike(folders, rows.values()))
    return [Placement(n, learners[one.learner], _name(one)) for n, one in placed.items()], left_out


def _named(paths: Sequence[str], ones: Sequence[_Read]) -> tuple[dict[int, Handed], LeftOut]:
    """The files of which the name says whose each is, by their number; the others."""
    packed = _downloads_within(paths, ones)
    found, left_out = dict[int, Handed](), LeftOut()
    for number, (path, one) in enumerate(zip(paths, ones, strict=True)):
        top = path.partition("/")[0]
        if METADATA.fullmatch(path):
            continue
        if isinstance(one, Handed) and one.platform == "folders" and one.who in packed:
            one = TwoReadings((one.who, named_below(path) or "nobody"))
        if isinstance(one, TwoReadings):
            left_out.append((IN_DOUBT, f"{path}: of {' or of '.join(one.whose)}"))
        elif one is not None:
            found[number] = one
        else:
            left_out.append((PASSED_OVER, top) if is_ignored(top) else (NOBODYS, path))
    return found, left_out


def _downloads_within(paths: Sequence[str], ones: Sequence[_Read]) -> set[str]:
    """The folders that look like a learner's and hold files of several by a platform's names.

    So does the only folder of all with a single one: it may be a download of one hand-in. Raises
    Complaint where that only folder holds nothing but folders, each of which may be a learner's.
    """
    tops: dict[str, set[str]] = {}
    below: set[str] = set()
    for path, one in zip(paths, ones, strict=True):
        if isinstance(one, Handed) and one.is_read:
            below.add(one.file.rpartition("/")[0].partition("/")[0])
            if one.platform == "folders":
                tops.setdefault(one.who, set()).add(named_below(path))
            else:
                below.add("")
    if len(tops) == 1 and len(below) > 1 and "" not in below:
        (only,) = tops
        raise Complaint(
            f"all of it lies in one folder, {printable(only)}: if that holds a folder for each "
            "learner, unpack, and give that folder alone; if it is one learner's, grade it as it is"
        )
    return {top for top, whose in tops.items() if len(whose - {""}) >= min(2, len(tops))}


def _learners(placed: Collection[Handed], rows: Rows, own: Rows) -> dict[Whose, Participant]:
    """Whose these files are, each with a folder of their own; `own`: GitHub's, by repository."""
    late = {one.learner for one in placed if one.late}
    answering = {one.learner for one in placed if one.may_answer}
    found: dict[Whose, Participant] = {}
    for one in placed:
        if (whose := one.learner) not in found:
            row = (own if one.platform == "folders" else rows).get(one.who)
            name = _known_as(one, row)
            folder = free(name, [each.folder for each in found.values()])
            found[whose] = Participant(*whose, row, name, folder, whose in late, whose in answering)
    return found


def _known_as(one: Handed, row: PlatformLine | None) -> str:
    """What a list calls somebody, or what an export later knows them by: names and numbers."""
    kept = fit(one.name, LONGEST - len(one.who) - 1)  # a number that is cut is another's
    own = {"Moodle": f"{kept}_{one.who}", "Canvas": canvas_user(one.who), "Gradescope": one.name}
    # A login that is no folder's name would become another one, which may be somebody's.
    name = row.name if row and fit(row.name) == row.name else fit(own.get(one.platform, one.who))
    is_ours = one.platform == "Canvas" and name == canvas_user(one.who)
    return f"_{name}" if is_like_canvas_user(name) and not is_ours else name


def _name(one: Handed) -> str:
    """A file's, in its learner's folder; in folders it stays there, and counts less than on top."""
    if one.tools:  # nothing that is read, and a person may look at it
        room = ".ipynb_checkpoints" if one.tools == ".ipynb_checkpoints" else ".kept"
        return f"{room}/{fit(one.file)}"
    parts = [fit(part) for part in one.file.split("/") if part]
    if not 0 < len(parts) <= MAX_DEPTH + 1:
        parts = [fit(one.file)]
    if one.is_hidden:  # as it was: beside what is not, it counts for nothing, and marking says so
        parts = [re.sub(r"^_\.", ".", part) for part in parts]
    return "/".join(parts)
