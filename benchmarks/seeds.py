"""Marks the real cases with many seeds: verdicts and names must be the same for all of them.

    python -m benchmarks.seeds [--seeds 50]

Exit status 1 where a verdict or a diagnosis depends on the seed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict

from grader.course.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission

from .classes import CASES


def main() -> int:
    """Print what depends on the seed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=50)
    given = parser.parse_args()
    rows = [json.loads(line) for line in (CASES / "manifest.jsonl").read_text().splitlines()]
    rows = [row for row in rows if row["expected"] in ("passed", "failed")]
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    with Examiner() as examiner:
        for seed in range(given.seeds):
            examiner.seed = seed
            for row in rows:
                submission = load_submission(CASES / row["file"], syllabus().names)
                mark = examiner.mark(submission, [row["exercise"]]).marks[0]
                names = " ".join(found.id for found in mark.diagnosis)
                seen[row["file"]][f"{mark.verdict} {names}".strip()] += 1
    shaky = {file: counted for file, counted in seen.items() if len(counted) > 1}
    for file, counted in shaky.items():
        print(f"{file}: " + ", ".join(f"{what} ({n})" for what, n in counted.most_common()))
    print(f"{len(seen)} cases, {given.seeds} seeds: {len(seen) - len(shaky)} the same for all.")
    return 1 if shaky else 0


if __name__ == "__main__":
    sys.exit(main())
