"""What wrong code is told: a mistake by its name, a line, or neither.

    python -m benchmarks.told [--every N] [FOLDER]

Without a folder it marks the wrong code of the corpus, every N-th file of it; with one, its files,
which are called `<exercise>_<anything>.py`. Each that is told neither is printed, then how many
are told what: a line is one where the values depart, one to change, or one that raised.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from grader.candidate.records import Mark
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from tests.corpus import cases


def wrong_files(folder: Path | None) -> Iterator[tuple[str, str]]:
    """The exercise that each is wrong at, and its source."""
    if folder is None:
        yield from ((case.exercise, case.source) for case in cases() if not case.right)
        return
    for path in sorted(folder.glob("*.py")):
        exercise = path.stem.rpartition("_")[0]
        if exercise in syllabus().names:
            yield exercise, path.read_text(encoding="utf-8")


def told(mark: Mark) -> str:
    """The most telling of what a mark says."""
    if mark.verdict == "passed":
        return "passed"
    if mark.diagnosis:
        return "named"
    if mark.location is not None:
        return "located" if mark.location.kind == "departs" else "raised"
    return "neither"


def main() -> int:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    with Examiner() as examiner, tempfile.TemporaryDirectory() as folder:
        for exercise, source in list(wrong_files(given.folder))[:: given.every]:
            path = Path(folder) / "answer.py"
            path.write_text(source, encoding="utf-8")
            mark = examiner.mark(load_submission(path, syllabus().names), [exercise]).marks[0]
            counts[what := told(mark)] += 1
            if what == "neither":
                first = source.partition("\n")[0]
                print(f"{exercise}: {mark.verdict}: {first}", file=sys.stderr, flush=True)
    caught = counts.total() - counts["passed"]
    for what, count in counts.most_common():
        print(f"{what}: {count} {count / max(caught, 1):.1%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
