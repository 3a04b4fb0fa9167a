"""A class of eight for the tests of cohorts, how it is graded, and what became of it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.cohort import Result, SubmissionDone, Way, grade_class, setup_for
from grader.cohort.messages import Setup, Task, TaskResult
from grader.cohort.task_marking import TaskMarker, nothing
from grader.gradebook.store import Gradebook
from grader.marking.examiner import Examiner
from grader.report.exports.marks_json import write
from grader.wall.limits import Limits
from grader.wall.zygote_client import Zygote

SENTENCE = "def sentence_vector(hidden_state):\n    return hidden_state.mean(dim={})\n"
LIMITS = {"wall_seconds": 20.0}
SETUP = setup_for(0, LIMITS, False)


@contextmanager
def warm_marker(zygote: Zygote, setup: Setup) -> Iterator[TaskMarker]:
    """What marks in a job, in this process; its workers come from this zygote."""
    with TaskMarker(setup, 1, nothing) as marker:
        examiner = Examiner(
            seed=setup.seed,
            draws_by_code=setup.draws_by_code,
            limits=Limits(**setup.limits),  # type: ignore[arg-type]
            trust=setup.trust,
            source=None if setup.trust else zygote.clone(),
        )
        marker._examiner = marker._stack.enter_context(examiner)
        yield marker


@dataclass(frozen=True)
class Answering:
    """What answers tasks in this process: there is nothing to end."""

    answers: Callable[[Iterable[Task]], Iterator[TaskResult]]

    def run(self, tasks: Iterable[Task], count: int = 1) -> Iterator[TaskResult]:
        return self.answers(tasks)

    def close(self) -> None:
        pass


def answering(marker: TaskMarker) -> Way:
    """As this marker answers, whatever the setup."""
    return lambda setup: Answering(partial(map, marker.answer))


def in_this_process(zygote: Zygote) -> Way:
    """As a job answers, without a process of its own."""

    def way(setup: Setup) -> Answering:
        def run(tasks: Iterable[Task]) -> Iterator[TaskResult]:
            with warm_marker(zygote, setup) as marker:
                yield from map(marker.answer, tasks)

        return Answering(run)

    return way


def eight(path: Path) -> Path:
    """Submissions that are quick to mark: even ones right, odd ones wrong."""
    path.mkdir()
    for number in range(8):
        own = SENTENCE.replace("    return", f"    _ = {number}\n    return")  # no two are copies
        (path / f"learner_{number}.py").write_text(own.format(1 + number % 2))
    return path


def graded(
    folder: Path,
    out: Path,
    way: Way,
    tell: Callable[[SubmissionDone], None] = lambda step: None,
) -> Result:
    return grade_class(folder, out, SETUP, way, tell)


def as_json(out: Path) -> str:
    text = io.StringIO()
    with Gradebook.open(out) as book:
        write(book, text)
    return text.getvalue()


def verdicts(out: Path) -> dict[str, str]:
    found = json.loads(as_json(out))["submissions"]
    return {each["learner"]: each["exercises"][0]["verdict"] for each in found}
