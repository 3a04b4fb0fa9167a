"""Marks submissions one after the other, in processes it holds; knows no gradebook or report."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import torch

from ..candidate.records import SubmissionMarks
from ..candidate.seeds import generator_for
from ..curriculum.syllabus import syllabus
from ..diagnosis.misconceptions.catalogue import misconceptions
from ..diagnosis.misconceptions.changes import changes
from ..diagnosis.misconceptions.registry import function_subjects, module_subject
from ..submission import Cell, Submission
from ..wall.limits import Limits, SubmissionBudget, TimeBudget
from ..wall.start import Source, begin
from ..wall.transport import WorkerTransport
from ..wall.zygote_client import Zygote, ZygoteDied
from ..worker.frames import with_room
from ..worker.uncompiled import spare_the_compiler
from .check_session import CheckSession
from .submission_marker import SubmissionMarker


class Examiner:
    """Holds the checks and a warm zygote; a context manager that ends every process it began.

    `trust` runs submissions without isolation, for people who wrote them themselves. Until
    something was marked, this process may fork, and the fork go on with a clone of its `zygote`:
    gradients leave PyTorch in a state that no fork survives.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        draws_by_code: bool = False,
        waits_at_random: bool = False,
        limits: Limits | None = None,
        trust: bool = False,
        source: Source | None = None,
    ) -> None:
        """`source` is a zygote that was started before, with the same limits and isolation.

        Raises CatalogueError where a person's edit of a data file has a fault: here, and not within
        a diagnosis.

        `draws_by_code`: for who may ask again and again. What checks of functions try depends on
        all that is handed in as well, so that what one answer tells is of no use to other code, and
        beside a lent reference nothing is told that code could have chosen.

        `waits_at_random`: for a class, in which code of others is run next. When the marking of a
        judge that erred comes to an end tells such code nothing.
        """
        self.seed = seed
        self.draws_by_code = draws_by_code
        self.waits_at_random = waits_at_random
        self._limits = limits or Limits()
        self._isolated = not trust
        source = source or begin(self._isolated, self._limits)
        try:
            self.checks = CheckSession()
            _load()
        except BaseException:
            source.close()
            raise
        self.zygote = Zygote(source=source)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and all its workers."""
        self.zygote.close()

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

    def go_on_with(self, clone: Source) -> None:
        """In the fork: leave the zygote to the parent, and take this one; raises ZygoteDied."""
        self.zygote.leave()
        self.zygote = Zygote(source=clone)

    def checks_seed(self, exercise: str, cells: Iterable[Cell]) -> int:
        """What the inputs of an exercise's checks are drawn by, for a submission of these cells.

        What a module does is read from the same inputs as a diagnosis: it keeps to the run's seed.
        """
        if not self.draws_by_code or syllabus()[exercise].kind == "module":
            return self.seed
        code = (text for cell in cells for text in (cell.notebook, cell.label, cell.source))
        return generator_for(self.seed, "code", *code).initial_seed()

    def budget(self) -> TimeBudget:
        """What one submission may take from now on, here and in all its workers."""
        return SubmissionBudget(self._limits.submission_seconds)

    def worker(self, budget: TimeBudget | None = None) -> WorkerTransport:
        """A fresh worker that spends from `budget`; a zygote that has died is replaced once."""
        try:
            return self.zygote.worker(self._limits, budget)
        except ZygoteDied:
            self.zygote.close()
            self.zygote = Zygote(self._isolated, self._limits)
            return self.zygote.worker(self._limits, budget)


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch keeps to one: with small tensors, waiting for a second takes longer."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _load() -> None:
    """Load what marks need, all known wrong turns too, while the zygote gets ready.

    Forks of this process share it. Computes nothing.
    """
    importlib.import_module("grader.diagnosis.diagnose")
    function_subjects()
    spare_the_compiler(vars(torch.optim.Optimizer).values())
    module_subject("")
    for name in syllabus().names:
        misconceptions(name)
        changes(name)
