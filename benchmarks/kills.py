"""Kills runs of the grader at random moments, resumes them and compares what they leave.

    python -m benchmarks.kills [--runs 20] [--size 20]

Each run is killed (SIGKILL) once to three times, at moments drawn from the length of a calm run,
and then left to finish. Its marks must be those of the calm run to the byte. Exit status 1 where
they are not.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .bench import SHEET, grading
from .classes import make_class


def start(folder: Path, out: Path) -> subprocess.Popen[bytes]:
    """`grader grade` with two jobs."""
    line = grading(folder, out, jobs=2)
    return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(folder: Path, out: Path) -> tuple[bytes, float]:
    """Run to the end; the marks as JSON, and the seconds it took."""
    began = time.monotonic()
    if start(folder, out).wait() != 0:
        raise RuntimeError("the run did not end well")
    seconds = time.monotonic() - began
    line = [sys.executable, "-m", "grader", "export", "json", str(out)]
    return subprocess.run(line, stdout=subprocess.PIPE, check=True).stdout, seconds


def killed(folder: Path, out: Path, seconds: float, draw: random.Random) -> list[float]:
    """Kill a run and those that resume it; the moments at which they were."""
    moments = sorted(draw.uniform(0.0, seconds) for _ in range(draw.randint(1, 3)))
    for moment in moments:
        process = start(folder, out)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return moments


def main() -> int:
    """Print what each run left."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--size", type=int, default=20, help="submissions in the class")
    given = parser.parse_args()
    draw = random.Random(0)
    other = 0
    with tempfile.TemporaryDirectory() as kept:
        folder = make_class(Path(kept) / "class", given.size, exercises=SHEET, distinct=True)
        calm, seconds = finish(folder, Path(kept) / "calm")
        print(f"A calm run of {given.size} submissions took {seconds:.1f} s.")
        for run in range(given.runs):
            out = Path(kept) / f"run{run}"
            moments = ", ".join(f"{at:.1f}" for at in killed(folder, out, seconds, draw))
            same = finish(folder, out)[0] == calm
            other += not same
            print(f"killed after {moments} s: {'the same marks' if same else 'OTHER MARKS'}")
    print(f"{given.runs - other} of {given.runs} runs left the marks of the calm one.")
    return 1 if other else 0


if __name__ == "__main__":
    sys.exit(main())
