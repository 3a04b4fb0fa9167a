"""Times a class on Dask's LocalCluster with one worker process and with two, in one run.

    python -m benchmarks.cluster [--size 200] [--rounds 3]

All answers differ, and each round has a new gradebook and new workers. Prints seconds from the
first submission sent to the last mark kept, and their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from distributed import LocalCluster

from grader.cohort import grade_class, setup_for, way_of

from .bench import SHEET
from .classes import make_class


def seconds(folder: Path, out: Path, workers: int) -> float:
    """What a class takes on so many workers of one thread each."""
    setup = setup_for(0, {}, trust=False)
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=""
    ) as cluster:
        cluster.wait_for_workers(workers)
        began = time.perf_counter()
        grade_class(folder, out, setup, way_of(1, cluster.scheduler_address), lambda step: None)
        return time.perf_counter() - began


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as kept:
        here = Path(kept)
        folder = make_class(here / "class", given.size, exercises=SHEET, distinct=True)
        ratios = []
        for turn in range(given.rounds):
            one = seconds(folder, here / f"one{turn}", 1)
            two = seconds(folder, here / f"two{turn}", 2)
            ratios.append(one / two)
            print(f"one worker {one:.1f} s, two {two:.1f} s: {one / two:.2f} times", flush=True)
        print(f"{given.size} submissions, median: {statistics.median(ratios):.2f} times")


if __name__ == "__main__":
    main()
