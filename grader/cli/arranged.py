"""What became of a platform's bulk download, and its words; lays out no file."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..gradebook.roster import is_like_canvas_user, table_of
from ..gradebook.times import HandedInAt
from ..handed_in.file_names import printable
from ..report.standing import listed
from ..report.text import count, name_of
from . import placing
from .console import say
from .placing import LeftOut, Participant
from .platform_roster import Rows

_ATTEMPT = re.compile(r"[^+]+\+[^+]+\+\d{4}-\d\d-\d\d")
_EXCHANGE = (
    "Of nbgrader's exchange, each an attempt and no learner: arrange its folder `submitted`, or "
    "write a manifest (docs/instructors.md)"
)


@dataclass(frozen=True)
class Arranged:
    """What became of a download."""

    rows: Rows  # the platform's list
    learners: Sequence[Participant]
    times: Mapping[str, HandedInAt]  # by folder
    files: int  # that are laid out
    left_out: LeftOut
    groups: Mapping[str, Sequence[str]]  # who handed in one work together, by folder


def tell(found: Arranged, target: Path) -> None:
    """Say how many files of how many there are, and list whatever a person has to know of."""
    learners, rows = found.learners, found.rows
    left: dict[str, list[str]] = {}
    for why, each in found.left_out:
        left.setdefault(why, []).append(each)
    whose = {"folders": "the folders'"}
    platforms = dict.fromkeys(one.platform for one in learners)
    kinds = " and ".join(whose.get(each, f"{each}'s") for each in platforms)
    people = count(len(learners), "learner")
    lost = ", or only what is left out below" if {*left} - {placing.PASSED_OVER} else ""
    lines = [f"{count(found.files, 'file')} of {people} in {target}, by {kinds} names."]
    names, folders = {row.name for row in rows.values()}, [one.folder for one in learners]
    theirs = {one.who for one in learners if one.platform != "folders"}
    strangers = [
        one.folder
        for one in learners
        if rows and (one.folder not in names if one.platform == "folders" else one.row is None)
    ]
    idle = [row.name for who, row in rows.items() if not (who in theirs or row.name in folders)]
    silent = sorted(one.folder for one in learners if not one.may_answer)
    renamed = [one.folder for one in learners if one.folder != one.name]
    unlike = [one.name for one in learners if one.name[0] == "_" and is_like_canvas_user(one.name)]
    for heading, told in (
        ("Marked as late by the platform", sorted(n for n, at in found.times.items() if at.late)),
        ("Handed in, and not in the roster", strangers),
        (f"In the roster, and handed in nothing{lost}", idle),
        ("Handed in no notebook, script or archive, which marking will say", silent),
        ("Called otherwise, as another learner had the name", renamed),
        ("Called otherwise, as such a name stands for a number of Canvas'", unlike),
        *((why, left.get(why)) for why in (placing.UNREAD, placing.BEYOND, placing.NAMELESS)),
        (_EXCHANGE, [*filter(_ATTEMPT.match, folders)]),
        (placing.NOBODYS, left.get(placing.NOBODYS)),
    ):
        if told:
            lines.append(f"{heading}: {listed([name_of(name) for name in told])}.")
    if others := Counter(left.get(placing.PASSED_OVER)).most_common(20):
        kinds = ", ".join(f"{number} {printable(kind, 20)}" for kind, number in others)
        lines.append(f"{placing.PASSED_OVER}: {kinds}.")
    if in_doubt := left.get(placing.IN_DOUBT):
        lines += [f"{placing.IN_DOUBT}:", *(f"  {printable(each, 500)}" for each in in_doubt)]
    say("\n".join(lines))


def tell_times(found: Arranged, target: Path) -> None:
    """Where the times are from, who has none, and who handed in together."""
    sources = Counter(at.source for at in found.times.values() if at.time)
    told = "; ".join(f"{number} by {source}" for source, number in sources.items())
    path = table_of(target, "times")
    said = [f"{path} has who handed in when: {told or 'no time'}."]
    timeless = [(name, at.late) for name, at in sorted(found.times.items()) if at.time is None]
    unknown = [name_of(name) for name, is_late in timeless if is_late is None]
    late = [name_of(name) for name, is_late in timeless if is_late]
    if any(row.time for row in found.rows.values()) and not sources:
        said.append(
            "The roster has times, but not in which zone. To have them, arrange it into a new "
            "folder and give --zone, that of whoever downloaded it, such as --zone Europe/Berlin."
        )
    if late:
        said.append(f"Late, and nobody has said when: {listed(late)}. Write their times there.")
    if unknown:
        everybody = len(unknown) == len(found.times)
        said.append(f"Without a time: {'everybody' if everybody else listed(unknown)}.")
    if found.groups:
        path = table_of(target, "groups")
        several = f"{count(len(found.groups), 'work')} of several, who stand in {path}"
        said.append(f"{several}: give that to `grader grade --groups`.")
    say("\n".join(said))
