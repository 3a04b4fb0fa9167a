"""Marks one variant in this process; knows no table."""

from __future__ import annotations

from typing import Any

from grader.candidate.candidate import Candidate
from grader.candidate.records import Mark
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.misconceptions.registry import entry_point, function_subject
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
    service.bind({**_around(made), entry: made.candidate})
    candidate = Candidate(made.exercise, Here(service))
    return mark_candidate(syllabus()[made.exercise], candidate, seed=seed)


def _around(made: Variant) -> dict[str, Any]:
    """What else a harness calls the variant by."""
    subject = function_subject(made.exercise)
    if subject is None or subject.reference is not None:
        return {}
    names = subject.harnessed(made.switches - {"gradient_stopped"})
    return {name: thing for name, thing in names.items() if name.startswith("grader_")}
