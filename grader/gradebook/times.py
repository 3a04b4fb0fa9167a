"""Who handed in when, as one file beside a class says it; knows no deadline and no platform."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ..curriculum.complaint import Complaint
from .roster import read_records, write_rows

HEAD = ("learner", "time", "zone", "source", "late")
_LATE = {"": None, "yes": True, "no": False}


class TimesError(Complaint):
    """A moment or a file of times cannot be used; the message says which, and what to write."""


@dataclass(frozen=True)
class HandedInAt:
    """When one learner handed in, and how that is known.

    `late` is the platform's own word where it tells that and no time.
    """

    time: datetime | None = None
    zone: str = ""
    source: str = ""
    late: bool | None = None

    @property
    def is_unknown(self) -> bool:
        """Whether nobody has said when, nor whether it was late."""
        return self.time is None and self.late is None


def moment(text: str, where: str = "") -> datetime:
    """A moment such as 2026-01-31T12:00:00Z; raises TimesError, which begins with `where`."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise TimesError(f"{where}{text!r} is no moment; write 2026-01-31T12:00:00Z") from None
    if found.tzinfo is None:
        raise TimesError(
            f"{where}{text!r} has no zone, so nobody knows which hour it means; write "
            "2026-01-31T12:00:00Z, or +01:00 at its end"
        )
    try:
        found.astimezone(UTC)
    except OverflowError:  # year 1 or 9999
        raise TimesError(f"{where}{text!r} is no moment of any class; check its year") from None
    return found


def read_times(path: Path) -> dict[str, HandedInAt]:
    """A file of times; raises RosterError, and TimesError, which names the line."""
    rows = read_records(path, ["learner"], ["time"])
    found: dict[str, HandedInAt] = {}
    for row in rows:
        learner, late = row["learner"], row.get("late", "").strip().lower()
        if learner in found:
            raise TimesError(f"{path} has two lines for {learner}")
        if late not in _LATE:
            raise TimesError(f"{path}, {learner}: late is yes, no or empty, not {late!r}")
        time = moment(row["time"], f"{path}, {learner}: ") if row["time"].strip() else None
        source = row.get("source", "") or path.name
        found[learner] = HandedInAt(time, row.get("zone", ""), source, _LATE[late])
    return found


def write_times(path: Path, times: Mapping[str, HandedInAt]) -> None:
    """The file that `read_times` reads."""
    rows = ((learner, *as_row(each)) for learner, each in sorted(times.items()))
    write_rows(path, HEAD, rows)


def as_row(at: HandedInAt) -> tuple[str, str, str, str]:
    """Time, zone, source and late, as text."""
    time = at.time.isoformat().replace("+00:00", "Z") if at.time else ""
    return time, at.zone, at.source, {None: "", True: "yes", False: "no"}[at.late]


def from_row(time: str, zone: str, source: str, late: str) -> HandedInAt:
    """What `as_row` wrote."""
    return HandedInAt(moment(time) if time else None, zone, source, _LATE[late])
