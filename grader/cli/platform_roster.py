"""Reads a platform's own list of learners: what to call each, and when each handed in."""

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..gradebook.roster import RosterError, canvas_user, is_test_student, read_records
from ..gradebook.times import HandedInAt, TimesError, moment

_USER = "github_username"
_ID = ("ID", "Identifier", _USER)  # Canvas's, Moodle's, GitHub Classroom's
_LOGIN, _SUBMITTED = "SIS Login ID", "Last modified (submission)"
_NUMBER = re.compile(r"(\d+)\s*$")
# Saturday, 31 January 2026, 12:00 PM: Moodle's, in English, in the zone of whoever downloads
_SHOWN = [f"{day}%d %B %Y, {hour}" for day in ("%A, ", "") for hour in ("%I:%M %p", "%H:%M")]
# 2026-01-31 12:00:00.000000 UTC: nbgrader's timestamp.txt
_NBGRADER = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?\s+(\S{1,60})")


@dataclass(frozen=True)
class PlatformLine:
    """One learner of the list: what to call their folder, and when they handed in."""

    name: str
    time: datetime | None = None  # without a zone where nobody has said which
    repository: str = ""  # what GitHub puts at the end of a repository's name
    together: tuple[str, ...] = ()  # who handed in the work, where a list tells of several


Rows = Mapping[str, PlatformLine]  # by the platform's number for each


def read_platform(path: Path) -> dict[str, PlatformLine]:
    """The rows by the platform's number; raises RosterError, where two have one as well."""
    found: dict[str, PlatformLine] = {}
    for who, line in filter(None, map(_line, read_records(path, _ID))):
        other = found.setdefault(who, line)
        if other != line:
            raise RosterError(
                f"{path}: {other.name!r} and {line.name!r} both have {who!r}; remove one of them"
            )
    return found


def _line(row: dict[str, str]) -> tuple[str, PlatformLine] | None:
    """The number and what is known of it; None for rows that are nobody's."""
    if _USER in row:
        name = row.get("identifier", "") or row[_USER]
        return row[_USER] or name, PlatformLine(name, repository=row[_USER])
    number = _NUMBER.search(next(row[name] for name in _ID if name in row))
    if number is None or is_test_student(row):  # Canvas's second row, and whom it has for teachers
        return None
    full = row.get("Full name", "")
    if _LOGIN in row or not full:  # Canvas; nothing else of its row is a login
        name = row.get(_LOGIN, "") or canvas_user(number[1])
    else:
        name = f"{full}_{number[1]}"
    return number[1], PlatformLine(name, _shown(row.get(_SUBMITTED, "")))


def begun_alike(repositories: Collection[str], rows: Iterable[PlatformLine]) -> Rows:
    """Whose each of GitHub's repositories is: `week4-ada` is ada's, `week4-x-ada` x-ada's.

    All of an assignment begin alike. Anybody may choose a user's name that ends as another's does,
    so what most of them begin with is the assignment, and all the rest the user.
    """
    found: dict[str, dict[str, list[PlatformLine]]] = {}  # by beginnings
    named = [(f"-{row.repository}".casefold(), row) for row in rows if row.repository]
    for repository in repositories:
        name = f"-{repository}".casefold()
        for user, row in named:
            if name.endswith(user):
                alike = found.setdefault(name.removesuffix(user), {})
                alike.setdefault(repository, []).append(row)
    names = [f"-{repository}-".casefold() for repository in repositories]
    counts = {
        begins: sum(name.startswith(f"{begins}-") for name in names) if begins else len(whose)
        for begins, whose in found.items()
    }
    most = max(counts.values(), default=0)
    likely: dict[str, list[PlatformLine]] = {}
    for begins, number in counts.items():
        if number == most:
            for repository, whose in found[begins].items():
                likely.setdefault(repository, []).extend(whose)
    return {repository: whose[0] for repository, whose in likely.items() if len(whose) == 1}


def zone_of(name: str) -> ZoneInfo:
    """A zone such as Europe/Berlin; raises TimesError."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise TimesError(
            f"{name!r} is no zone; write UTC, Europe/Berlin, America/Chicago"
        ) from None


def nbgrader_time(content: bytes) -> HandedInAt | None:
    """What nbgrader's `timestamp.txt` says; None where it says nothing that is a moment."""
    source = "timestamp.txt, which nbgrader writes and learners can"
    text = content[:200].decode("utf-8", "replace").strip()
    if found := _NBGRADER.fullmatch(text):
        try:
            zone = zone_of(found[3])
            time = datetime.fromisoformat(f"{found[1]}T{found[2]}").replace(tzinfo=zone)
        except (TimesError, ValueError):
            return None
        return HandedInAt(time, found[3], source)
    try:
        return HandedInAt(moment(text), "as written", source)
    except TimesError:
        return None


def _shown(text: str) -> datetime | None:
    """A moment as Moodle shows it, without its zone."""
    for form in _SHOWN:
        with suppress(ValueError):
            return datetime.strptime(text.replace("\u202f", " ").strip(), form)
    return None
