"""What a late hand-in costs: deadline, rule, extensions and late days; knows no points."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from .roster import read_records
from .times import HandedInAt, TimesError, moment

_RULE = re.compile(
    r"\s*(\d+(?:\.\d+)?)\s*% an? (day|hour)(?:\s*,\s*at most (\d+(?:\.\d+)?)\s*%)?\s*"
)
_SECONDS = {"day": 86_400, "hour": 3_600}
_MOST_DAYS = 3_650


@dataclass(frozen=True)
class Extension:
    """What one learner was given: a later deadline, days of lateness that cost nothing, or both."""

    until: datetime | None = None
    days: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Lateness:
    """When it was due, what each day or hour that was begun costs, and who handed in when."""

    deadline: datetime
    rule: str
    times: Mapping[str, HandedInAt] = field(default_factory=dict)
    extensions: Mapping[str, Extension] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises TimesError where the rule is none."""
        _ = self._parts

    @property
    def _parts(self) -> tuple[str, str, str | None]:
        """What the rule says: how many percent of what, and how many at most."""
        found = _RULE.fullmatch(self.rule)
        if found is None:
            raise TimesError(f"{self.rule!r} is no rule; write 10% a day, at most 50%")
        return found[1], found[2], found[3]

    def cost(self, learner: str) -> float:
        """The share of the points that a learner loses; nothing where no time is known."""
        percent, _, most = self._parts
        return min(float(most or 100), 100.0, float(percent) * self.begun(learner)) / 100

    def begun(self, learner: str) -> int:
        """The days or hours that were begun after what was due for this learner."""
        at, given = self.times.get(learner), self.extensions.get(learner, Extension())
        if at is None or at.time is None:
            return 0
        late = at.time - self.due(learner) - timedelta(days=given.days)
        return math.ceil(max(0.0, late.total_seconds()) / _SECONDS[self.unit])

    @property
    def unit(self) -> str:
        """day or hour."""
        return self._parts[1]

    def due(self, learner: str) -> datetime:
        """When this learner's work was due; late days come on top."""
        given = self.extensions.get(learner, Extension()).until
        return max(self.deadline, given) if given else self.deadline

    def reason(self, learner: str) -> str:
        """Why this learner has more time; for instructors alone."""
        return self.extensions.get(learner, Extension()).reason

    def is_known(self, learner: str) -> bool:
        """Whether it can be told how late this learner was."""
        at = self.times.get(learner)
        return at is not None and (at.time is not None or at.late is False)

    def is_late(self, learner: str) -> bool:
        """By the time, or by the platform's word where that is all there is."""
        at = self.times.get(learner, HandedInAt())
        return self.begun(learner) > 0 if at.time else at.late is True

    def said(self, learner: str) -> str:
        """One sentence about this learner."""
        at, given = self.times.get(learner, HandedInAt()), self.extensions.get(learner)
        more = ""
        if given is not None and given.until and given.until > self.deadline:
            more = f", by an extension until {shown(given.until)}"
        if given is not None and given.days:
            more += f", with {given.days} late day{'s' if given.days > 1 else ''} that cost nothing"
        if at.time is None:
            if at.late is False:
                return f"Handed in in time, by the platform's word ({at.source})."
            if at.late:
                return f"Handed in late by the platform's word; nobody has said when{more}."
            return f"Nobody has said when this was handed in{more}."
        came = f"Handed in {shown(at.time)}"
        begun, percent = self.begun(learner), f"{100 * self.cost(learner):g} %"
        if not begun:
            return f"{came}: in time{more}."
        units = f"{begun} {self.unit}{'s' if begun > 1 else ''}"
        return f"{came}: {units} late (what has begun counts){more}. It costs {percent}."

    def without_effect(self) -> list[str]:
        """Whose extensions give no more time than everybody has."""
        given = self.extensions.items()
        idle = [name for name, each in given if not each.days and self.due(name) <= self.deadline]
        if not idle:
            return []
        return [f"Extensions that give no more time than the deadline does: {_some(idle)}."]

    def unmatched(self, learners: Iterable[str], everybody: Iterable[str]) -> list[str]:
        """What keeps lateness from being told rightly: names that are nobody's, missing times.

        `learners` are those whose lateness is asked for, `everybody` all who may be named.
        """
        known, told = {*everybody}, []
        for what, names in (("times", self.times), ("extensions", self.extensions)):
            strangers = [name for name in names if name not in known]
            if strangers:
                told.append(f"The {what} name nobody of the class: {_some(strangers)}.")
        missing = [name for name in learners if not self.is_known(name)]
        by_word = [name for name in missing if self.is_late(name)]
        missing = [name for name in missing if name not in by_word]
        if by_word:
            told.append(f"Late by the platform's word, nobody has said when: {_some(by_word)}.")
        if missing:
            told.append(f"Nobody has said when these handed in: {_some(missing)}.")
        return told


def shown(time: datetime) -> str:
    """A moment with its zone, for people."""
    offset = time.strftime("%z")
    zone = "UTC" if offset == "+0000" else f"UTC{offset[:3]}:{offset[3:5]}"
    seconds = f"{time:%S}"  # which decide, where it was due on the minute
    return f"{time:%Y-%m-%d %H:%M}{'' if seconds == '00' else f':{seconds}'} {zone}"


def read_extensions(path: Path) -> dict[str, Extension]:
    """A CSV with `learner` and `until`, `days` or both, and maybe `reason`.

    Raises RosterError and TimesError.
    """
    rows = read_records(path, ["learner"], ["until", "days"])
    found: dict[str, Extension] = {}
    for row in rows:
        learner = row["learner"]  # as it stands: with a blank more it is somebody else's
        until, days = (row.get(name, "").strip() for name in ("until", "days"))
        where = f"{path}, {learner}: "
        if learner in found:
            raise TimesError(f"{path} has two lines for {learner}")
        if days and not (re.fullmatch("[0-9]{1,9}", days) and int(days) <= _MOST_DAYS):
            raise TimesError(f"{where}{days!r} is no number of days")
        until_when = moment(until, where) if until else None
        found[learner] = Extension(until_when, int(days or 0), row.get("reason", ""))
    return found


def _some(names: list[str], most: int = 40) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(sorted(names)[:most]) + more
