"""Marks cases of the corpus with many seeds: verdicts and names must be the same for all of them.

    python -m benchmarks.seeds [--seeds 50] [--every 12]

Exit status 1 where a verdict or a diagnosis depends on the seed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict

from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from tests.corpus import cases


def main() -> int:
    """Print what depends on the seed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--every", type=int, default=12, help="take every so many-th case")
    given = parser.parse_args()
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    with Examiner() as examiner:
        for seed in range(given.seeds):
            examiner.seed = seed
            for case in cases()[:: given.every]:
                submission = load_submission(case.path, syllabus().names)
                mark = examiner.mark(submission, [case.exercise]).marks[0]
                names = " ".join(found.id for found in mark.diagnosis)
                seen[case.name][f"{mark.verdict} {names}".strip()] += 1
    shaky = {name: counted for name, counted in seen.items() if len(counted) > 1}
    for name, counted in shaky.items():
        print(f"{name}: " + ", ".join(f"{what} ({n})" for what, n in counted.most_common()))
    print(f"{len(seen)} cases, {given.seeds} seeds: {len(seen) - len(shaky)} the same for all.")
    return 1 if shaky else 0


if __name__ == "__main__":
    sys.exit(main())
