"""Does a case get the same verdict in its chapter's notebook as in a file of its own?

    python -m benchmarks.in_notebooks [--every N]

Puts each right and wrong case of the corpus into the learner's notebook of its chapter, in place of
the stub, among all its demos and plots, and marks both. Exits with 1 where one passes and
the other does not, or points differ. How a wrong one fails may differ: other code stands beside it.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.candidate.records import Mark, Verdict
from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import is_stub, load_submission
from tests.corpus import Case, cases

NOTEBOOKS = chosen_course().notebooks


@dataclass(frozen=True)
class Moved:
    """A case that got another verdict in a notebook than in a file."""

    case: Case
    file: Mark
    notebook: Mark

    def __str__(self) -> str:
        file, notebook = self.file.verdict, self.notebook.verdict
        return f"{self.case.name}: {file} as a file, {notebook} in its notebook"


def in_its_notebook(case: Case, folder: Path) -> Path:
    """The chapter's notebook, unsolved but for this case."""
    chapter = syllabus()[case.exercise].chapter
    notebook = json.loads((NOTEBOOKS / f"{chapter}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and _is_stub_of(case.exercise, "".join(cell["source"])):
            cell["source"] = case.source
    path = folder / f"{chapter}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def moved(examiner: Examiner, some: Iterable[Case]) -> Iterator[Moved]:
    """The cases whose verdict is another in a notebook."""
    for case in some:
        with tempfile.TemporaryDirectory() as folder:
            marks = [
                examiner.mark(load_submission(path, syllabus().names), [case.exercise]).marks[0]
                for path in (case.path, in_its_notebook(case, Path(folder)))
            ]
        passed = [mark.verdict is Verdict.PASSED for mark in marks]
        if passed[0] is not passed[1] or marks[0].points != marks[1].points:
            yield Moved(case, *marks)


def _is_stub_of(exercise: str, source: str) -> bool:
    try:
        nodes: list[Any] = ast.parse(source).body
    except SyntaxError:  # a magic
        return False
    return any(getattr(node, "name", "") == exercise and is_stub(node) for node in nodes)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so many-th case")
    every = parser.parse_args().every
    some = cases()[::every]
    number = 0
    with Examiner() as examiner:
        for each in moved(examiner, some):
            number += 1
            print(each, flush=True)
    print(f"{len(some)} cases, {number} with another verdict in a notebook")
    return 1 if number else 0


if __name__ == "__main__":
    sys.exit(main())
