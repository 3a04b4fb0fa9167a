"""What one worker may use; knows nothing of how that is enforced."""

import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """Bounds of one worker; `wall_seconds` holds for each request, the others for its whole life.

    Seconds count but for those in which a worker waits for a processor that others have.
    total_seconds is what all requests may wait together: code that is always just in time must end.
    submission_seconds is the same for all workers of one submission, one after the other, and what
    this process computes for that submission.
    memory_mb is address space beyond what PyTorch itself has mapped; processes are threads, as a
    worker may start no process; tmp_mb holds for /tmp, for /dev/shm and for any one file.
    """

    wall_seconds: float = 10.0
    total_seconds: float = 120.0
    submission_seconds: float = 300.0
    cpu_seconds: int = 300
    memory_mb: int = 1024
    processes: int = 64
    open_files: int = 64
    tmp_mb: int = 64


@dataclass
class TimeBudget:
    """Seconds that workers may be waited for; their requests spend from it."""

    seconds: float
    used: float = field(default=0.0, init=False)

    @property
    def left(self) -> float:
        """What there is still to spend; never less than nothing."""
        return max(0.0, self.seconds - self.used)

    def spend(self, waited: float, worked: float) -> None:
        """Take off the seconds of a request, in which this process worked for some of them."""
        self.used += waited


@dataclass
class SubmissionBudget(TimeBudget):
    """Seconds for all that one submission takes: waiting for its workers, and work on it here.

    Of the work, the processor's time counts: a machine with much else to do is no disadvantage.
    """

    _began: float = field(default_factory=time.process_time, init=False)

    @property
    def left(self) -> float:
        """What there is still to spend; never less than nothing."""
        return max(0.0, self.seconds - self.used - (time.process_time() - self._began))

    def spend(self, waited: float, worked: float) -> None:
        """Take off what this process did not work of a request; its work counts by itself."""
        self.used += max(0.0, waited - worked)
