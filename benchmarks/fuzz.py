"""Throws damaged frames, notebooks, scripts and zips at the parsers that read them, for long.

Coverage guides it where atheris is installed; else hypothesis draws the damage.
"""

from __future__ import annotations

import argparse
import importlib.util
import multiprocessing
import resource
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

_MEGABYTES = 6_000  # of address space: what wants more is a find


def main() -> None:
    """Fuzz every target in turn; exit with 1 where one fell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120, help="for each target")
    parser.add_argument("--only", help="one target")
    parser.add_argument("--hypothesis", action="store_true", help="even where there is atheris")
    options = parser.parse_args()
    from tests.fuzzed import TARGETS

    guided = importlib.util.find_spec("atheris") is not None and not options.hypothesis
    print("guided by coverage (atheris)" if guided else "drawn at random (hypothesis)")
    fell = []
    for kind in [options.only] if options.only else TARGETS:
        work = _guided if guided else _drawn
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(kind, options.seconds)
        )
        process.start()
        process.join(3 * options.seconds + 120)
        if process.is_alive():
            process.kill()
            print(f"{kind}: hung")
        if process.exitcode != 0:
            fell.append(kind)
    if fell:
        sys.exit(f"These fell: {', '.join(fell)}")


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEGABYTES * 2**20,) * 2)


def _drawn(kind: str, seconds: float) -> None:
    from tests.fuzzed import TARGETS
    from tests.test_fuzz import damaged

    _bound()
    count = 0
    end = time.monotonic() + seconds

    @settings(
        max_examples=500,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(damaged(kind))
    def rain(data: bytes) -> None:
        nonlocal count
        count += 1
        TARGETS[kind](data)

    while time.monotonic() < end:
        rain()  # another seed each time
    print(f"{kind}: {count:,} inputs")


def _guided(kind: str, seconds: float) -> None:
    import atheris

    with atheris.instrument_imports(
        include=[
            "grader.submission",
            "grader.worker",
            "grader.wall.answer_forms",
            "zipfile",
            "json",
        ]
    ):
        from tests.fuzzed import TARGETS
    from tests.test_fuzz import SOUND

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(SOUND[kind]):
            (Path(folder) / str(number)).write_bytes(data)
        arguments = [
            kind,
            folder,
            f"-max_total_time={seconds:.0f}",
            "-max_len=20000",
            "-timeout=10",
            f"-rss_limit_mb={_MEGABYTES}",
            "-print_final_stats=1",
        ]
        atheris.Setup(arguments, TARGETS[kind])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
