"""What `grader grade` says at its end of the submissions that took longest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from grader.cohort import Way
from grader.cohort.messages import Setup, Task, TaskResult
from grader.gradebook.entries import Recorded
from tests.cohorts import Answering, eight, graded
from tests.command import ISOLATED, warm


def taking(seconds: dict[str, float]) -> Way:
    """Marks nothing, and says that it took so long."""

    def way(setup: Setup) -> Answering:
        def answers(tasks: Iterable[Task]) -> Iterator[TaskResult]:
            for task in tasks:
                new = Recorded(task.learner, "content", setup.settings, True, (), ())
                yield TaskResult(task.learner, new, seconds=seconds[task.learner])

        return Answering(answers)

    return way


TOOK = [
    ((1, 1, 1, 1, 1), ""),
    ((30, 31, 32, 33, 34), ""),  # as long as others
    ((1, 1, 1, 9, 1), ""),  # which nobody waits for
    ((1, 48, 1, 1, 30), "Of 81 s of marking, these took longest: bob (48 s), eve (30 s).\n"),
    ((40, 50, 60, 70, 1), ""),  # most are
    ((1, 1, 60, 1, 1), "Of 64 s of marking, these took longest: cem (60 s).\n"),
]


@pytest.mark.parametrize(("took", "told"), TOOK)
def test_who_took_longest_is_named(took: tuple[float, ...], told: str, tmp_path: Path) -> None:
    names = ("ann", "bob", "cem", "dan", "eve")
    (tmp_path / "class").mkdir()
    for name in names:
        (tmp_path / "class" / f"{name}.py").write_text("x = 1\n")
    way = taking(dict(zip(names, took, strict=True)))
    line = ("grade", tmp_path / "class", "--out", tmp_path / "out")
    said = warm(way, *line).stdout
    assert told in said and ("took longest" in said) == bool(told)
    assert "took longest" not in warm(way, *line).stdout  # nothing was marked


@ISOLATED
def test_what_is_marked_says_how_long_it_took(here: Way, tmp_path: Path) -> None:
    took: list[float] = []
    folder = eight(tmp_path / "class")
    graded(folder, tmp_path / "out", here, lambda step: took.append(step.seconds))
    assert len(took) == 8 and all(took)
    graded(folder, tmp_path / "out", here, lambda step: took.append(step.seconds))
    assert not any(took[8:])
