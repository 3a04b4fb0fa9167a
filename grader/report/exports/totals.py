"""What a learner gets in all, on a platform's own scale and after what lateness costs."""

import csv
import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from ...candidate.records import SubmissionMarks

_RULE = re.compile(
    r"\s*(\d+(?:\.\d+)?)\s*% an? (day|hour)(?:\s*,\s*at most (\d+(?:\.\d+)?)\s*%)?\s*"
)
_SECONDS = {"day": 86_400, "hour": 3_600}


class TotalsError(Exception):
    """A deadline, a rule or a file of times cannot be read."""


@dataclass(frozen=True)
class Lateness:
    """When it was due, what each day or hour that was begun costs, and who handed in when."""

    deadline: datetime
    share: float  # of the points, for each that was begun
    seconds: int
    most: float = 1.0
    times: dict[str, datetime] = field(default_factory=dict)

    def cost(self, learner: str) -> float:
        """The share of the points that a learner loses; nothing where no time is known."""
        late = (self.times.get(learner, self.deadline) - self.deadline).total_seconds()
        return min(self.most, self.share * math.ceil(max(0.0, late) / self.seconds))


def lateness(deadline: str, rule: str, times: Path) -> Lateness:
    """Lateness by "10% a day, at most 50%" and a CSV with `learner` and `time`.

    Raises TotalsError.
    """
    found = _RULE.fullmatch(rule)
    if found is None:
        raise TotalsError(f"{rule!r} is no rule; write 10% a day, at most 50%")
    try:
        with times.open(encoding="utf-8-sig", newline="") as file:
            rows = [(row["learner"], row["time"]) for row in csv.DictReader(file)]
        known = {learner: moment(time) for learner, time in rows if time != ""}
    except OSError as error:
        raise TotalsError(f"{times} cannot be read: {error.strerror}") from None
    except (UnicodeError, csv.Error, KeyError, TypeError) as error:
        raise TotalsError(f"{times} cannot be read as learner,time: {error}") from None
    most = float(found[3]) / 100 if found[3] else 1.0
    return Lateness(
        moment(deadline), float(found[1]) / 100, _SECONDS[found[2]], min(most, 1.0), known
    )


def moment(text: str) -> datetime:
    """A moment such as 2026-01-31T12:00:00Z; without a zone it is UTC. Raises TotalsError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise TotalsError(f"{text!r} is no moment; write 2026-01-31T12:00:00Z") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Scale:
    """How points become what a platform gets."""

    out_of: float | None = None  # the maximum there; the points themselves if none is given
    decimals: int = 2
    late: Lateness | None = None

    @property
    def changes(self) -> bool:
        """Whether a total is anything but the points."""
        return self.out_of is not None or self.late is not None or self.decimals != 2

    def total(self, submission: SubmissionMarks, out_of: float | None = None) -> float:
        """All points on this scale, or on one out of `out_of`; halves are rounded up."""
        most = self.out_of if out_of is None else out_of
        value = Decimal(str(submission.points))
        if most is not None:
            top = Decimal(str(submission.max_points))
            value = value * Decimal(str(most)) / top if top else Decimal(0)
        if self.late is not None:
            value *= 1 - Decimal(str(self.late.cost(submission.learner)))
        step = Decimal(1).scaleb(-self.decimals)
        return float(value.quantize(step, rounding=ROUND_HALF_UP))
