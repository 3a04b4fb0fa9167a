"""What one worker may use; knows nothing of how that is enforced."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Limits:
    """Bounds of one worker; `wall_seconds` holds for each request, the others for its whole life.

    total_seconds is what all requests may wait together: code that is always just in time must end.
    submission_seconds is the same for all workers of one submission, one after the other.
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

    def to_json(self) -> dict[str, float]:
        """What the zygote needs to know."""
        return asdict(self)


@dataclass
class Budget:
    """Seconds that one submission may be waited for; its workers spend from it."""

    seconds: float
    used: float = field(default=0.0, init=False)

    @property
    def left(self) -> float:
        """What there is still to spend; never less than nothing."""
        return max(0.0, self.seconds - self.used)
