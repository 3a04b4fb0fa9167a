"""Marks one variant in this process; knows no table."""

from __future__ import annotations

from grader.candidate.candidate import Candidate
from grader.candidate.records import Mark
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.registry import entry_point
from grader.notebook.in_process import check_in_kernel
from grader.worker.answering import Service
from tests.candidates import Here, mark_candidate

from .variants import Variant


def mark_variant(made: Variant, seed: int = 0) -> Mark:
    """The mark of one variant.

    Where checks call an exercise through a harness, a variant stands for both.
    """
    entry = entry_point(made.exercise)
    if entry is None:
        return check_in_kernel(made.exercise, made.candidate, seed).mark
    service = Service()
    service.bind({entry: made.candidate})
    candidate = Candidate(made.exercise, Here(service))
    return mark_candidate(syllabus()[made.exercise], candidate, seed=seed)
