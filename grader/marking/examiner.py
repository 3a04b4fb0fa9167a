"""Marks submissions, one after the other, with one warm zygote; knows no gradebook or report."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

from ..candidate.records import SubmissionMarks
from ..curriculum.syllabus import syllabus
from ..submission import Submission
from ..worker.frames import with_room
from .submission_marker import SubmissionMarker
from .workers import Workers


class Examiner(Workers):
    """Marks submissions in its workers; a context manager that ends every process it began."""

    @with_room
    def mark(
        self, submission: Submission, exercises: Sequence[str] | None = None, spent: float = 0.0
    ) -> SubmissionMarks:
        """Every mark of one submission, or those of the exercises named, in course order.

        `spent`: seconds that reading it has taken, of those that all of it may take.
        """
        marking = SubmissionMarker(self, submission, spent)
        with marking as marker, one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what PyTorch warns of while answers are compared
            for name in exercises if exercises is not None else syllabus().names:
                marker.mark(name)
        return SubmissionMarks(
            submission.learner,
            tuple(marker.marks.values()),
            submission.problems,
            frozenset(marker.incomplete),
            frozenset(marker.whole),
        )


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch keeps to one: with small tensors, waiting for a second takes longer."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
