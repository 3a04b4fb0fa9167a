"""Marks cases of the corpus behind the wall; knows no expectation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

import pytest

from grader.candidate.records import Mark
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.start import Source

from .corpus import Case

Marked = Callable[[Case], Mark]
T = TypeVar("T")


@contextmanager
def marking(source: Source) -> Iterator[Marked]:
    """Marks a case, each once."""
    with Examiner(source=source) as examiner:

        @cache
        def mark(case: Case) -> Mark:
            submission = load_submission(case.path, syllabus().names)
            return examiner.mark(submission, [case.exercise]).marks[0]

        yield mark


def sample(some: Sequence[T], step: int = 24) -> Sequence[T]:
    """Some of these; all of them with WHOLE_CORPUS set, as `make corpus` does."""
    return some if os.environ.get("WHOLE_CORPUS") else some[::step]


def every(some: Sequence[Case]) -> pytest.MarkDecorator:
    """One test for each of these cases."""
    return pytest.mark.parametrize("case", some, ids=[case.name for case in some])


def shown(mark: Mark) -> str:
    """What a mark says, for whoever reads why a test failed."""
    failed = [f"{c.title}: {c.message}" for c in mark.checks if c.outcome != "passed"]
    return "\n".join([f"{mark.verdict} {[d.id for d in mark.diagnosis]}", mark.message, *failed])
