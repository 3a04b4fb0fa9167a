"""Times the grader on classes of several sizes, beside the bare floor, in one run.

    python -m benchmarks.bench [--sizes 20 200 2000] [--jobs 2]
    python -m benchmarks.bench --courses 500    # whole courses alone, and what a rerun takes

Prints submissions per second, CPU per submission, peak memory, the ratio to the floor (a warm
process that forks and runs the same checks with no isolation at all), what a second job brings,
what wrong answers cost, and the share of time by room. Ratios within one run are what counts:
machines differ, and are noisy.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from grader.curriculum.syllabus import syllabus
from grader.submission import find_submissions, load_submission

from .classes import make_class
from .spent import adopt_orphans, orphans

_SOME = 500  # submissions: a single job is not made to mark more
# What a class hands in, as in `peers`: a learner's sheet, not the whole course.
SHEET = ("softmax", "scaled_dot_product_attention", "MultiHeadAttention")


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
        _, status, own = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    seconds = time.perf_counter() - start
    used = [own, *orphans()]
    cpu = sum(each.ru_utime + each.ru_stime for each in used)
    return Run(size, seconds, cpu, max(each.ru_maxrss for each in used) / 1024)


def grading(folder: Path, out: Path, jobs: int) -> list[str]:
    """The command line of `grader grade`."""
    command = [sys.executable, "-m", "grader", "grade", str(folder), "--out", str(out)]
    return [*command, "--jobs", str(jobs), "--seed", "0"]


def grade(folder: Path, size: int, jobs: int, out: Path) -> Run:
    """`grader grade`, from a cold start, into a new gradebook."""
    shutil.rmtree(out, ignore_errors=True)
    return timed(grading(folder, out, jobs), size)


def floor(folder: Path, size: int) -> Run:
    """The same checks in bare forks of a warm process."""
    return timed([sys.executable, "-m", "benchmarks.bench", "--floor", str(folder)], size)


def run_floor(folder: Path) -> None:
    """Fork for each submission and run the checks there; nothing is kept."""
    from grader.candidate.candidate import Candidate
    from grader.course.modules.module_subjects import module_subject
    from grader.curriculum.references import reference
    from grader.diagnosis.diagnose import diagnose
    from grader.diagnosis.misconceptions.registry import function_subject
    from grader.marking.attempt import attempt, unusable
    from grader.marking.check_session import CheckSession
    from grader.marking.examiner import one_thread
    from tests.candidates import Here

    checks = CheckSession()
    for exercise in syllabus().names:  # a warm process: no fork imports or compiles anything
        reference(exercise)
        function_subject(exercise)
        module_subject(exercise)
    gc.collect()
    gc.freeze()
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
                harness = checks.harness(exercise.name)
                candidate = Candidate(exercise.name, Here(), harness=harness)
                tried = attempt(checks, cut, candidate, 0)
                if not tried.passed:
                    diagnose(exercise.name, candidate, 0)
            os._exit(0)


def shares(folder: Path) -> Counter[str]:
    """Seconds by room, of one process that marks a small class."""
    from grader.marking.examiner import Examiner

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
    for room in ("handed_in", "submission", "wall", "diagnosis", "checks", "course"):
        if f"/grader/{room}/" in file:
            return room
    if "/grader/" in file:
        return "examiner and the rest"
    if "pytest" in file or "pluggy" in file:
        return "pytest"
    return "PyTorch and Python below them"


def table(sizes: list[int], jobs: int, here: Path) -> None:
    """Classes of every size, all different and with copies among them, beside the floor."""
    print("| submissions | which | jobs | seconds | per second | CPU s each | peak MB | of floor |")
    print("|---|---|---|---|---|---|---|---|")
    for size in sizes:
        folder = make_class(here / f"class{size}", size, exercises=SHEET, distinct=True)
        copied = make_class(here / f"copied{size}", size, exercises=SHEET)
        ground = floor(folder, size)
        _row("floor", 1, ground, ground)
        for count in sorted({1, jobs} if size <= _SOME else {jobs}):
            _row("all different", count, grade(folder, size, count, here / "out"), ground)
        _row("with copies", jobs, grade(copied, size, jobs, here / "out"), ground)


def whole_courses(size: int, jobs: int, here: Path) -> None:
    """Whole courses, all different, of which some answers are wrong; then the same once more."""
    own = {"exercises": tuple(syllabus().names), "right": 0.8, "hostile": False}
    folder = make_class(here / "courses", size, distinct=True, **own)
    first = grade(folder, size, jobs, here / "out")
    again = timed(grading(folder, here / "out", jobs), size)
    print("| run | jobs | seconds | CPU s | peak MB of one process |\n|---|---|---|---|---|")
    for which, run in (("first", first), ("unchanged", again)):
        print(f"| {which} | {jobs} | {run.seconds:.1f} | {run.cpu:.1f} | {run.peak_mb:.0f} |")
    share = f"{100 * again.seconds / first.seconds:.1f} % of the seconds"
    print(
        f"\n{size} whole courses: unchanged takes {share}, {100 * again.cpu / first.cpu:.1f} % CPU."
    )


def _row(which: str, jobs: int, run: Run, ground: Run) -> None:
    print(
        f"| {run.size} | {which} | {jobs} | {run.seconds:.1f} | {run.rate:.1f} | "
        f"{run.cpu / run.size:.3f} | {run.peak_mb:.0f} | {run.seconds / ground.seconds:.2f} |",
        flush=True,
    )


def wrong_against_right(size: int, here: Path) -> float:
    """The speed at which a class is marked that has everything wrong, in that of one all right."""
    rates = []
    for right in (0.0, 1.0):
        folder = make_class(here / f"right{right}", size, right=right, hostile=False, distinct=True)
        rates.append(grade(folder, size, 1, here / "out").rate)
    return rates[0] / rates[1]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", type=int, nargs="+", default=[20, 200, 2000])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--courses", type=int, help="how many whole courses to mark, and no more")
    parser.add_argument("--floor", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.floor is not None:
        run_floor(given.floor)
        return
    adopt_orphans()
    with tempfile.TemporaryDirectory() as kept:
        here = Path(kept)
        if given.courses:
            whole_courses(given.courses, given.jobs, here)
            return
        table(given.sizes, given.jobs, here)
        size = 20  # of the whole course: every exercise that there are cases of
        slower = wrong_against_right(size, here)
        print(f"\nAll wrong against all right, {size} submissions: {slower:.2f} of the speed.")
        rooms = shares(make_class(here / "small", size))
        total = sum(rooms.values())
        print("\n| room | share of one examiner's time |\n|---|---|")
        for room, seconds in rooms.most_common():
            print(f"| {room} | {100 * seconds / total:.0f} % |")


if __name__ == "__main__":
    main()
