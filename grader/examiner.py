"""Marks one submission: load, call, compare, diagnose, mark; knows no file format, gradebook or report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any

from .attempt import Attempt, attempt, unusable
from .candidate import Candidate
from .diagnosis import diagnose
from .records import Diagnosis, Mark, SubmissionMarks, Verdict
from .references import reference_sources
from .session import CheckSession
from .shortcuts import find
from .submission import Slice, Submission
from .syllabus import Exercise, syllabus
from .verdicts import judge
from .wall.limits import Limits
from .wall.transport import WorkerDied, WorkerTransport
from .wall.zygote import Zygote, ZygoteDied


class Examiner:
    """Holds the checks and a warm zygote; a context manager that ends every process it began.

    `trust` runs submissions without isolation, for people who wrote them themselves.
    """

    def __init__(
        self, *, seed: int = 0, limits: Limits | None = None, trust: bool = False
    ) -> None:
        self.seed = seed
        self._limits = limits or Limits()
        self._isolated = not trust
        self._zygote = Zygote(isolated=self._isolated)
        try:
            self._checks = CheckSession()
        except BaseException:
            self._zygote.close()
            raise

    def __enter__(self) -> Examiner:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and all its workers."""
        self._zygote.close()

    def mark(
        self, submission: Submission, exercises: Sequence[str] | None = None
    ) -> SubmissionMarks:
        """Every mark of one submission, or those of the exercises named, in course order."""
        marking = _Marking(self, submission)
        with marking:
            for name in exercises if exercises is not None else syllabus().names:
                marking.mark(name)
        return SubmissionMarks(
            submission.learner, tuple(marking.marks.values()), submission.problems
        )

    def worker(self) -> WorkerTransport:
        """A fresh worker; a zygote that has died is replaced once."""
        try:
            return self._zygote.worker(self._limits)
        except ZygoteDied:
            self._zygote.close()
            self._zygote = Zygote(isolated=self._isolated)
            return self._zygote.worker(self._limits)

    def try_out(self, cut: Slice, worker: WorkerTransport) -> Attempt:
        """Load one exercise's code into a worker and run its checks."""
        return attempt(self._checks, cut, worker, self.seed)


class _Marking:
    """Marks the exercises of one submission one after the other, in one worker while it lives."""

    def __init__(self, examiner: Examiner, submission: Submission) -> None:
        self._examiner = examiner
        self._submission = submission
        self._worker: WorkerTransport | None = None
        self.marks: dict[str, Mark] = {}

    def __enter__(self) -> _Marking:
        return self

    def __exit__(self, *_: object) -> None:
        if self._worker is not None:
            self._worker.close()

    def mark(self, name: str) -> None:
        """Mark one exercise and keep the mark."""
        exercise = syllabus()[name]
        cut = self._submission.slice(name)
        mark = unusable(exercise, cut)
        if mark is None:
            assert cut is not None
            mark = self._mark_code(exercise, cut)
        self.marks[name] = mark

    def _mark_code(self, exercise: Exercise, cut: Slice) -> Mark:
        """The mark of an exercise that there is code for."""
        absent = reference_sources(cut.absent)
        if absent:  # exercises that it calls and the submission lacks
            cut = self._submission.slice(exercise.name, absent) or cut
        shortcuts = find(cut, exercise.forbidden) if exercise.forbidden else ()
        # Reference code never enters the worker that others of this submission's marks come from.
        own = self._try(cut, fresh=bool(absent))
        mark = judge(exercise, own, shortcuts)
        if mark.verdict is Verdict.PASSED:
            return mark
        carried = self._carry(exercise, cut, absent) if cut.uses else None
        if carried is not None:
            tried, names = carried
            better = judge(exercise, tried, shortcuts)
            if better.verdict is Verdict.PASSED:
                return replace(better, carried=names)
            return replace(better if not own.ended else mark, diagnosis=tried.diagnosis)
        return replace(mark, diagnosis=own.diagnosis)

    def _carry(
        self, exercise: Exercise, cut: Slice, absent: dict[str, str]
    ) -> tuple[Attempt, tuple[str, ...]] | None:
        """The attempt with the reference in place of the learner's earlier exercises.

        The names are those to mend: the one earlier exercise that alone makes the difference,
        where there is one, else all that have not passed.
        """
        all_sources = {**absent, **reference_sources(cut.uses)}
        best = self._with_references(exercise, all_sources)
        if best is None:
            return None
        if not best.passed:
            return best, ()
        suspects = [
            used
            for used in cut.uses
            if used not in self.marks or self.marks[used].verdict is not Verdict.PASSED
        ] or list(cut.uses)
        if len(suspects) > 1:
            for used in suspects:
                alone = self._with_references(exercise, {**absent, **reference_sources([used])})
                if alone is not None and alone.passed:
                    return best, (used,)
        return best, tuple(suspects)

    def _with_references(self, exercise: Exercise, sources: dict[str, str]) -> Attempt | None:
        cut = self._submission.slice(exercise.name, sources)
        return None if cut is None else self._try(cut, fresh=True)

    def _try(self, cut: Slice, fresh: bool) -> Attempt:
        if fresh:
            with self._examiner.worker() as worker:
                return self._diagnosed(cut, worker)
        if self._worker is None:
            self._worker = self._examiner.worker()
        tried = self._diagnosed(cut, self._worker)
        if tried.ended is not None:
            self._worker.close()
            self._worker = None
        return tried

    def _diagnosed(self, cut: Slice, worker: WorkerTransport) -> Attempt:
        """Run the checks and, where they fail and the worker lives, ask which mistake it is."""
        tried = self._examiner.try_out(cut, worker)
        if tried.passed or tried.unfinished or tried.ended is not None or tried.unloaded:
            return tried
        candidate = Candidate(cut.exercise, worker)
        found = _diagnose(cut.exercise, candidate, self._examiner.seed)
        return replace(tried, diagnosis=found)


def _diagnose(exercise: str, candidate: Candidate, seed: int) -> tuple[Diagnosis, ...]:
    try:
        return diagnose(exercise, candidate, seed)
    except WorkerDied:  # what it was asked for the diagnosis ended it: the mark stands without
        return ()


def mark_here(exercise: str, value: Any, seed: int = 0) -> Mark:
    """The mark of an object of this very process, for a notebook's own kernel."""
    from .kernel import mark_in_kernel

    return mark_in_kernel(exercise, value, seed)
