"""Times the grader on classes of several sizes, beside the bare floor, in one run.

    python -m benchmarks.bench [--sizes 20 200 2000] [--jobs 2]

Prints submissions per second, CPU per submission, peak memory, the ratio to the floor (a warm
process that forks and runs the same checks with no isolation at all), what a second job brings,
what wrong answers cost, and the share of time by room. Ratios within one run are what counts:
machines differ, and are noisy.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.submission import find_submissions, load_submission
from grader.syllabus import syllabus

from .classes import make_class


@dataclass(frozen=True)
class Run:
    """What one command took."""

    size: int
    seconds: float
    cpu: float
    peak_mb: float

    @property
    def rate(self) -> float:
        return self.size / self.seconds


def timed(command: list[str], size: int) -> Run:
    """Run a command to its end; peak memory is that of its largest process."""
    start = time.perf_counter()
    with open(os.devnull, "w") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    seconds = time.perf_counter() - start
    return Run(size, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def grade(folder: Path, size: int, jobs: int, out: Path) -> Run:
    """`grader grade`, from a cold start."""
    command = [sys.executable, "-m", "grader", "grade", str(folder), "--out", str(out)]
    return timed([*command, "--jobs", str(jobs)], size)


def floor(folder: Path, size: int) -> Run:
    """The same checks in bare forks of a warm process."""
    return timed([sys.executable, "-m", "benchmarks.bench", "--floor", str(folder)], size)


def run_floor(folder: Path) -> None:
    """Fork for each submission and run the checks there; nothing is kept."""
    from grader.attempt import attempt, unusable
    from grader.candidate import Candidate
    from grader.diagnosis import diagnose
    from grader.kernel import Here
    from grader.session import CheckSession
    from grader.threads import one_thread
    from grader.worker.service import Service

    checks = CheckSession()
    with one_thread():
        for found in find_submissions(folder):
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
                continue
            submission = load_submission(found.path, syllabus().names)
            for exercise in syllabus().exercises:
                cut = submission.slice(exercise.name)
                if cut is None or unusable(exercise, cut) is not None:
                    continue
                candidate = Candidate(exercise.name, Here(Service()))
                tried = attempt(checks, cut, candidate, 0)
                if not tried.passed:
                    diagnose(exercise.name, candidate, 0)
            os._exit(0)


def shares(folder: Path) -> Counter[str]:
    """Seconds by room, of one process that marks a small class."""
    from grader.examiner import Examiner

    profile = cProfile.Profile()
    with Examiner() as examiner:
        profile.enable()
        for found in find_submissions(folder):
            examiner.mark(load_submission(found.path, syllabus().names))
        profile.disable()
    rooms: Counter[str] = Counter()
    for (file, _, name), row in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        rooms[_room(file, name)] += row[2]
    return rooms


def _room(file: str, name: str) -> str:
    if "poll" in name or "wait" in name:
        return "waiting for workers"
    for room in ("submission", "shortcuts", "wall", "interpretation", "misconceptions", "checks"):
        if f"/grader/{room}/" in file:
            return room
    if "/grader/" in file:
        return "examiner and the rest"
    if "pytest" in file or "pluggy" in file:
        return "pytest"
    return "PyTorch and Python below them"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--floor", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.floor is not None:
        run_floor(given.floor)
        return
    with tempfile.TemporaryDirectory() as kept:
        here = Path(kept)
        print(
            "| submissions | jobs | seconds | per second | CPU s each | peak MB | over the floor |"
        )
        print("|---|---|---|---|---|---|---|")
        for size in given.sizes:
            folder = make_class(here / f"class{size}", size)
            ground = floor(folder, size)
            for jobs in sorted({1, given.jobs}):
                run = grade(folder, size, jobs, here / f"out{size}-{jobs}")
                ratio = run.seconds / ground.seconds
                print(
                    f"| {size} | {jobs} | {run.seconds:.1f} | {run.rate:.1f} | "
                    f"{run.cpu / size:.3f} | {run.peak_mb:.0f} | {ratio:.2f} |",
                    flush=True,
                )
            print(
                f"| {size} | floor | {ground.seconds:.1f} | {ground.rate:.1f} | "
                f"{ground.cpu / size:.3f} | {ground.peak_mb:.0f} | 1 |",
                flush=True,
            )
        size = min(100, max(given.sizes))
        right = grade(
            make_class(here / "right", size, right=1.0, hostile=False), size, 1, here / "r"
        )
        wrong = grade(
            make_class(here / "wrong", size, right=0.0, hostile=False), size, 1, here / "w"
        )
        print(
            f"\nAll wrong against all right, {size} submissions: "
            f"{wrong.rate / right.rate:.2f} of the speed."
        )
        rooms = shares(make_class(here / "small", 20))
        total = sum(rooms.values())
        print("\n| room | share of one examiner's time |\n|---|---|")
        for room, seconds in rooms.most_common():
            print(f"| {room} | {100 * seconds / total:.0f} % |")


if __name__ == "__main__":
    main()
