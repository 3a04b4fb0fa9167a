"""Marks the one submission of an autograder's folder, laid out as Gradescope lays it out.

    python -m grader.cli.autograder /autograder

Reads `submission/`, writes `results/results.json`, at once and whole, or not at all.
"""

import argparse
import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from ..cohort import fresh_seed, grade_class, setup_for, way_of
from ..cohort.pool import JobsFail
from ..curriculum.complaint import Complaint
from ..curriculum.syllabus import syllabus
from ..gradebook.store import Gradebook
from ..report.exports import Options, export
from ..report.whole_files import replace_file
from ..submission import Found

_LEARNER = "submission"


def mark(root: Path, chapters: tuple[str, ...], trust: bool) -> None:
    """Mark and write; raises Complaint, JobsFail."""
    with tempfile.TemporaryDirectory() as folder:
        # Learners hand in as often as they like, and hear of each at once.
        setup = setup_for(fresh_seed(), {}, trust, draws_by_code=True)
        setup = replace(setup, waits_at_random=not trust)
        submission = [Found(root / "submission", _LEARNER)]
        out = Path(folder)
        grade_class(root, out, setup, way_of(1), lambda _: None, chosen=submission)
        text = io.StringIO()
        with Gradebook.open(out) as book:
            export("gradescope", book, text, Options(learner=_LEARNER, chapters=chapters))
    replace_file(root / "results" / "results.json", text.getvalue())


def main() -> None:
    """Run it for Gradescope; what it says there, instructors alone see."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("--chapters", default="")
    parser.add_argument("--trust-submissions", action="store_true")
    given = parser.parse_args()
    chapters = syllabus().chapters_named(given.chapters) if given.chapters else ()
    try:
        mark(given.root, chapters, given.trust_submissions)
    except (Complaint, JobsFail) as error:
        sys.exit(f"The grader could not mark this: {error}")


if __name__ == "__main__":
    main()
