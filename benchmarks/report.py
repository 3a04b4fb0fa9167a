"""Writes the report of a large class and opens it: seconds, megabytes.

.venv/bin/python -m benchmarks.report 10000              # twenty works among them
.venv/bin/python -m benchmarks.report 2000 --different   # everybody's is another
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import sync_playwright

from grader.candidate.records import Verdict
from grader.cli.solve import reference_text
from grader.curriculum.syllabus import syllabus
from grader.gradebook.database import FILE
from grader.gradebook.entries import Recorded
from grader.gradebook.store import REPORT, Gradebook
from grader.report.class_report import write_report
from tests.marked import mark, recorded

_WORKS = 20


def submissions(learners: int, different: bool) -> Iterator[Recorded]:
    """Each learner has begun everything; half of it is wrong in one of a few ways."""
    works = [_work(number) for number in range(_WORKS)]
    for number in range(learners):
        work = works[number % _WORKS]
        entries = work.entries
        if different:
            entries = tuple(
                replace(e, source=tuple((a, n, f"{code}\n# {number}") for a, n, code in e.source))
                for e in entries
            )
        content = str(number if different else number % _WORKS)
        yield replace(work, learner=f"learner {number:06}", content=content, entries=entries)


def _work(number: int) -> Recorded:
    chance = random.Random(number)
    marks = []
    for exercise in syllabus().exercises:
        if chance.random() < 0.5:
            marks.append(mark(exercise.name, Verdict.PASSED, exercise.points))
        else:
            marks.append(mark(exercise.name, said=f"dimension {chance.randrange(3)}"))
    work = recorded("", marks)
    label = "04_softmax.ipynb, cell 3"
    entries = tuple(
        replace(each, source=((label, 1, reference_text(each.mark.name)),)) for each in work.entries
    )
    return replace(work, entries=entries)


def opened(page_file: Path) -> tuple[float, float]:
    """Seconds until a class's page is laid out, and until one learner of it is found."""
    arguments = ["--no-sandbox", "--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments
        )
        page = browser.new_page()
        begun = time.monotonic()
        page.goto(page_file.as_uri())
        page.evaluate("document.body.offsetHeight")
        shown = time.monotonic()
        page.get_by_label("Find").fill("000042")
        page.wait_for_function("document.getElementById('found').textContent.startsWith('1 of')")
        found = time.monotonic()
        browser.close()
    return shown - begun, found - shown


def _processor() -> float:
    """Seconds of the processor, those of processes that have ended too."""
    return sum(os.times()[:4])


def main() -> None:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("learners", type=int)
    parser.add_argument("--different", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Gradebook.create(folder) as book:
            for each in submissions(options.learners, options.different):
                book.record(each, syllabus().names)
            book.fold()
        clock, processor = time.monotonic(), _processor()
        write_report(folder)
        clock, processor = time.monotonic() - clock, _processor() - processor
        os.sync()  # whoever opens a report does not wait for the disk that it is written to
        shown, found = opened(folder / REPORT / "index.html")
        files = [path for path in (folder / REPORT).rglob("*") if path.is_file()]
        sizes = {
            "gradebook": (folder / FILE).stat().st_size,
            "report": sum(path.stat().st_size for path in files),
            "first page": (folder / REPORT / "index.html").stat().st_size,
        }
    print(f"{options.learners} learners, {len(files)} pages")
    print(f"written in {clock:.1f} s ({processor:.1f} s of the processor)")
    print(f"opened in {shown:.1f} s, somebody found in {found:.1f} s")
    print(", ".join(f"{what} {size / 1e6:.1f} MB" for what, size in sizes.items()))


if __name__ == "__main__":
    main()
