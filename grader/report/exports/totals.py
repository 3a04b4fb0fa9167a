"""What a learner gets in all, on a platform's own scale and after what lateness costs."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from ...candidate.records import SubmissionMarks
from ...gradebook.lateness import Lateness


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
