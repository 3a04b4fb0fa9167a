"""The options of one run over a class; runs none."""

from dataclasses import dataclass
from pathlib import Path

from ..cohort import Way


@dataclass(frozen=True)
class Run:
    """The options of one run."""

    path: Path
    folder: Path
    jobs: int | None  # None: as many as the machine has cores for
    seed: int | None  # None: the gradebook's own
    limits: dict[str, float]
    trust: bool
    cluster: str
    include_absent: bool
    groups: Path | None  # who handed in together
    chapters: tuple[str, ...] | None  # these alone count, none: all; None: as before
    attempts: str  # which one of a learner's counts: last or best
    way: Way | None  # instead of jobs of this machine
