"""Grades the same small class with nbgrader, otter-grader and this grader, in one run.

    python -m benchmarks.peers [--size 20] [--jobs 2] [--large 2000]

The peers live in build/peers/.venv, made on the first run. Each gets its fastest documented way
and simple tests of the same three exercises (benchmarks/peers_tests.py); making assignments is not
timed. Prints seconds, ratios to this grader, and the commands. Ratios are what counts. This grader
alone then marks a large class of the same kind, for the time of each submission there.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import nbformat

from grader.candidate.records import Verdict
from grader.gradebook.store import Gradebook

from .classes import make_class
from .peers_tests import EXERCISES, START, make_nbgrader_course, make_otter_tests
from .spent import adopt_orphans, orphans, processor_seconds

HOME = Path(__file__).parents[1] / "build" / "peers"
BIN = HOME / ".venv" / ("Scripts" if os.name == "nt" else "bin")
# PyTorch first, by itself: pip then keeps the build that it found for this very version.
PACKAGES = (("torch==2.13.0",), ("otter-grader==7.0.0", "nbgrader==0.9.6"))
OTTER = """
import sys
from concurrent.futures import ProcessPoolExecutor
from otter.api import grade_submission

def grade(path):
    return grade_submission(path, {archive!r}, quiet=True)

if __name__ == "__main__":
    with ProcessPoolExecutor({jobs}) as pool:
        marks = list(pool.map(grade, sys.argv[1:]))
    print(sum(mark.get_score(name) > 0 for mark in marks for name in {exercises!r}))
"""
NBGRADER_PASSED = """
import sys
from nbgrader.api import Gradebook

passed = 0
for address in sys.argv[1:]:
    with Gradebook("sqlite:///" + address) as book:
        for submission in book.assignment_submissions("ps1"):
            for notebook in submission.notebooks:
                passed += sum(grade.auto_score > 0 for grade in notebook.grades)
print(passed)
"""


@dataclass(frozen=True, order=True)
class Took:
    """Seconds by the clock, and of the processor, all descendants included."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Result:
    """What one tool took, and how many answers it let pass."""

    tool: str
    took: Took
    passed: int
    command: str


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--large", type=int, default=2000, help="0 for none")
    given = parser.parse_args()
    size, jobs = given.size, given.jobs
    install()
    adopt_orphans()
    with tempfile.TemporaryDirectory() as kept:
        here = Path(kept)
        folder = make_class(here / "class", size, hostile=False, exercises=EXERCISES)
        submissions = sorted(folder.glob("*.ipynb"))
        for path in submissions:
            begin(path)
        load = os.getloadavg()[0]
        # Ours before, between and after, so that a busy moment favours nobody.
        rounds = [ours(folder, here / "out0", jobs)]
        peers: list[Result] = []
        for number, measure in enumerate((nbgrader, otter), start=1):
            try:
                peers.append(measure(submissions, here / measure.__name__, jobs))
            except (RuntimeError, OSError) as error:
                print(f"{measure.__name__} is left out: {error}", flush=True)
            rounds.append(ours(folder, here / f"out{number}", jobs))
        show(rounds, peers, size, jobs)
        if given.large:
            large = make_class(here / "large", given.large, hostile=False, exercises=EXERCISES)
            for path in large.glob("*.ipynb"):
                begin(path)
            show_each(ours(large, here / "out", jobs), given.large, peers, size)
    print(f"\nLoad before the first run: {load:.1f} on {os.cpu_count()} cores.")


def install() -> None:
    """Make the peers' environment, unless one of just these versions is there."""
    mark, wanted = HOME / "installed", "\n".join(" ".join(row) for row in PACKAGES)
    if mark.is_file() and mark.read_text(encoding="utf-8") == wanted:
        return
    mark.unlink(missing_ok=True)
    print("Installing otter-grader and nbgrader into build/peers/.venv", flush=True)
    if not (BIN / "python").exists():
        venv.create(HOME / ".venv", with_pip=True)
    for packages in PACKAGES:
        pip = [str(BIN / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", *packages], check=True)
    mark.write_text(wanted, encoding="utf-8")


def begin(path: Path) -> None:
    """Start a learner's notebook with the imports, and name its kernel."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(START, id="start"))
    notebook.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(notebook, path)


def peers_environment(here: Path) -> dict[str, str]:
    """The peers' own programs and kernel, no user's settings, and as many threads as jobs."""
    return {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_DIR": str(here / "settings"),
        "OMP_NUM_THREADS": "1",
    }


def timed(
    commands: Sequence[Sequence[str]], folders: Sequence[Path], environment: dict[str, str]
) -> tuple[Took, list[str]]:
    """Run commands side by side, each in its folder; the time until all ended, and outputs."""
    before = processor_seconds()
    start = time.perf_counter()
    processes = [
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command, folder in zip(commands, folders, strict=True)
    ]
    outputs = [process.communicate()[0] for process in processes]
    seconds = time.perf_counter() - start
    for _ in orphans():
        pass
    cpu = processor_seconds() - before
    for command, process, output in zip(commands, processes, outputs, strict=True):
        if process.returncode != 0:
            said = " ".join(command[:3])
            raise RuntimeError(f"{said} ended with {process.returncode}:\n{output[-2000:]}")
    return Took(seconds, cpu), outputs


def ours(folder: Path, out: Path, jobs: int) -> Result:
    """`grader grade`, from a cold start; compiled once, as pip has done with the peers."""
    arguments = ["grade", str(folder), "--out", str(out), "--jobs", str(jobs), "--seed", "0"]
    command = [sys.executable, "-m", "grader", *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    took, _ = timed([command], [Path(__file__).parents[1]], environment)
    with Gradebook.open(out) as book:
        marks = [mark for submission in book.submissions() for mark in submission.marks]
    passed = sum(mark.verdict is Verdict.PASSED for mark in marks)
    return Result("grader", took, passed, f"grader grade class --out report --jobs {jobs}")


def nbgrader(submissions: list[Path], here: Path, jobs: int) -> Result:
    """`nbgrader autograde` knows no jobs: as many processes, each on a course of its own.

    One gradebook must not be shared by several of them, so each course has one.
    """
    command, environment = str(BIN / "nbgrader"), peers_environment(here)
    folders = [here / f"course{number}" for number in range(jobs)]
    for number, folder in enumerate(folders):
        make_nbgrader_course(folder, submissions[number::jobs])
        timed([[command, "generate_assignment", "ps1", "--create"]], [folder], environment)
    took, _ = timed([[command, "autograde", "ps1", "--create"]] * jobs, folders, environment)
    books = [str(folder / "gradebook.db") for folder in folders]
    _, (passed,) = timed(
        [[str(BIN / "python"), "-c", NBGRADER_PASSED, *books]], [here], environment
    )
    said = f"{jobs} × nbgrader autograde ps1 --create, each on its share of the class"
    return Result("nbgrader", took, int(passed.split()[-1]), said)


def otter(submissions: list[Path], here: Path, jobs: int) -> Result:
    """`otter.api.grade_submission`, which needs no container, in a pool of processes.

    `otter run` does the same from the command line, but starts anew for every submission.
    """
    make_otter_tests(here / "tests")
    environment = peers_environment(here)
    archive, script = here / "autograder.zip", here / "grade_class.py"
    generate = ["generate", "-t", "tests", "-o", str(archive), "--no-environment"]
    timed([[str(BIN / "otter"), *generate]], [here], environment)
    code = OTTER.format(archive=str(archive), jobs=jobs, exercises=EXERCISES)
    script.write_text(code, encoding="utf-8")
    paths = [str(path) for path in submissions]
    took, (output,) = timed([[str(BIN / "python"), str(script), *paths]], [here], environment)
    said = f"otter.api.grade_submission of each, {jobs} processes"
    return Result("otter-grader", took, int(output.split()[-1]), said)


def show(rounds: list[Result], peers: list[Result], size: int, jobs: int) -> None:
    """Print the table."""
    own = statistics.median_low(result.took for result in rounds)
    each = ", ".join(f"{result.took.seconds:.2f}" for result in rounds)
    print(f"{size} submissions of {', '.join(EXERCISES)}; {jobs} jobs; our runs: {each} s\n")
    print("| tool | seconds | tool / grader | CPU s | tool / grader | answers passed | command |")
    print("|---|---|---|---|---|---|---|")
    for tool in (Result("grader", own, rounds[0].passed, rounds[0].command), *peers):
        took = tool.took
        print(
            f"| {tool.tool} | {took.seconds:.2f} | {took.seconds / own.seconds:.1f} | "
            f"{took.cpu:.1f} | {took.cpu / own.cpu:.1f} | "
            f"{tool.passed} of {size * len(EXERCISES)} | {tool.command} |"
        )


def show_each(own: Result, many: int, peers: list[Result], few: int) -> None:
    """Print what one submission takes: ours of a large class, the peers' of the small one."""
    each = own.took.seconds / many
    others = [
        f"{peer.tool} {1000 * peer.took.seconds / few:.0f} of {few} "
        f"({peer.took.seconds / few / each:.0f} times as many)"
        for peer in peers
    ]
    print(
        f"\nMilliseconds a submission: grader {1000 * each:.1f} of {many:,}; {', '.join(others)}."
    )


if __name__ == "__main__":
    main()
