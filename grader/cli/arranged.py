"""What became of a platform's bulk download, and its words; lays out no file."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ..gradebook.groups import groups_of
from ..gradebook.times import HandedInAt, times_of
from ..report.standing import listed
from ..report.text import count, name_of
from ..submission.file_names import printable
from .console import say
from .platform_roster import PlatformLine

_IN_DOUBT = (
    "Left out, as the name can be read in two ways. Find out whose each is and put it into that "
    "learner's folder; a download that lies in a folder, unpack, and give that folder alone:"
)
_ATTEMPT = re.compile(r"[^+]+\+[^+]+\+\d{4}-\d\d-\d\d")
_EXCHANGE = (
    "Of nbgrader's exchange, each an attempt and no learner: arrange its folder `submitted`, or "
    "write a manifest (docs/instructors.md)"
)


@dataclass
class Arranged:
    """What became of a download."""

    rows: dict[str, PlatformLine]  # the platform's list, by its numbers
    repositories: dict[str, list[PlatformLine]] = field(default_factory=dict)  # GitHub's, by name
    together: dict[str, list[str]] = field(default_factory=dict)  # Gradescope's, by the same
    learners: dict[tuple[str, str], str] = field(default_factory=dict)  # platform, who → the folder
    files: int = 0
    numbers: dict[Path, int] = field(default_factory=dict)  # in front of names, by the place
    sizes: Counter[str] = field(default_factory=Counter)  # bytes, by the folder
    times: dict[str, HandedInAt] = field(default_factory=dict)
    platforms: Counter[str] = field(default_factory=Counter)
    without: set[str] = field(default_factory=set)  # who have no file of a kind that is read
    passed_over: Counter[str] = field(default_factory=Counter)  # other files, by their kind
    nobodys: list[str] = field(default_factory=list)  # files that belong to nobody
    in_doubt: list[str] = field(default_factory=list)  # files that may be one's or another's
    renamed: list[str] = field(default_factory=list)  # folders of whom another had the name of
    unlike: list[str] = field(default_factory=list)  # that had a name as we give by a number
    unread: list[str] = field(default_factory=list)
    beyond: list[str] = field(default_factory=list)  # files after more than marking reads of one
    nameless: list[str] = field(default_factory=list)  # whom a list knows by name alone
    groups: dict[str, list[str]] = field(default_factory=dict)  # who handed in one work together


def tell(found: Arranged, target: Path) -> None:
    """Say how many files of how many there are, and list whatever a person has to know of."""
    whose = {"folders": "the folders'"}
    kinds = " and ".join(whose.get(each, f"{each}'s") for each in found.platforms)
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
        ("Called otherwise, as such a name stands for a number of Canvas'", found.unlike),
        ("Could not be read", found.unread),
        ("Left out, as no more is read of one learner", found.beyond),
        ("Without an e-mail or a student's ID, so nobody's until you say whose", found.nameless),
        (_EXCHANGE, list(filter(_ATTEMPT.match, found.learners.values()))),
        ("Left out, as no name says whose they are", found.nobodys),
    ):
        if told:
            lines.append(f"{heading}: {listed([name_of(name) for name in told])}.")
    if found.passed_over:
        others = found.passed_over.most_common(20)
        kinds = ", ".join(f"{number} {printable(kind, 20)}" for kind, number in others)
        lines.append(f"Passed over beside notebooks, as of other kinds: {kinds}.")
    if found.in_doubt:
        lines += [_IN_DOUBT, *(f"  {printable(each, 500)}" for each in found.in_doubt)]
    say("\n".join(lines))


def tell_times(found: Arranged, target: Path) -> None:
    """Where the times are from, who has none, and who handed in together."""
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
        everybody = len(unknown) == len(found.times)
        said.append(f"Without a time: {'everybody' if everybody else listed(unknown)}.")
    if found.groups:
        several = f"{count(len(found.groups), 'work')} of several, who stand in {groups_of(target)}"
        said.append(f"{several}: give that to `grader grade --groups`.")
    say("\n".join(said))
