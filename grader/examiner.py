"""Marks one submission: load, call, compare, diagnose, mark; knows no gradebook and no report."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType

from .attempt import Attempt, attempt, out_of_time, unusable
from .candidate import Candidate, CandidateError
from .diagnosis import explained
from .discretion import in_own_words, veiled, without_quotes, without_words
from .misconceptions.registry import function_subjects
from .records import Mark, SubmissionMarks, Verdict
from .references import reference_source, reference_sources
from .session import CheckSession
from .shortcuts import find
from .submission import REFERENCE, Slice, Submission, Unit, handed_in_apart
from .syllabus import Exercise, syllabus
from .threads import one_thread
from .verdicts import fails_elsewhere, judge
from .wall.beginning import Source, begin
from .wall.limits import Budget, Limits
from .wall.transport import WorkerDied, WorkerTransport
from .wall.zygote import Zygote, ZygoteDied
from .worker.frames import with_room


class Examiner:
    """Holds the checks and a warm zygote; a context manager that ends every process it began.

    `trust` runs submissions without isolation, for people who wrote them themselves.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        limits: Limits | None = None,
        trust: bool = False,
        begun: Source | None = None,
    ) -> None:
        """`begun` is a zygote that was started before, with the same limits and isolation."""
        self.seed = seed
        self._limits = limits or Limits()
        self._isolated = not trust
        begun = begun or begin(self._isolated, self._limits)
        try:
            self._checks = CheckSession()
            _load()
        except BaseException:
            begun.close()
            raise
        self._zygote = Zygote(begun=begun)

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

    def clone(self) -> Source:
        """Another zygote, for this examiner's twin in a fork of this process.

        Before anything was marked: gradients leave PyTorch in a state that no fork survives.
        Raises ZygoteDied.
        """
        return self._zygote.clone()

    def go_on_with(self, clone: Source) -> None:
        """In the fork: leave the zygote to the parent, and take this one; raises ZygoteDied."""
        self._zygote.leave()
        self._zygote = Zygote(begun=clone)

    def keep_to(self, core: int) -> None:
        """Have the zygote and its workers run there alone; raises ZygoteDied."""
        self._zygote.keep_to(core)

    @with_room
    def mark(
        self, submission: Submission, exercises: Sequence[str] | None = None
    ) -> SubmissionMarks:
        """Every mark of one submission, or those of the exercises named, in course order."""
        marking = _Marking(self, submission)
        with one_thread(), warnings.catch_warnings():
            # What answers make PyTorch warn of here, where they are compared, is nobody's here.
            warnings.simplefilter("ignore")
            for name in exercises if exercises is not None else syllabus().names:
                marking.mark(name)
        return SubmissionMarks(
            submission.learner,
            tuple(marking.marks.values()),
            submission.problems,
            frozenset(marking.hurried),
        )

    def budget(self) -> Budget:
        """What all workers of one submission may spend together."""
        return Budget(self._limits.submission_seconds)

    def worker(self, budget: Budget | None = None) -> WorkerTransport:
        """A fresh worker that spends from `budget`; a zygote that has died is replaced once."""
        try:
            return self._zygote.worker(self._limits, budget)
        except ZygoteDied:
            self._zygote.close()
            self._zygote = Zygote(self._isolated, self._limits)
            return self._zygote.worker(self._limits, budget)

    def go(self, cut: Slice, worker: WorkerTransport, is_veiled: bool) -> _Go:
        """Load one exercise's code into a worker and run its checks.

        `is_veiled`: there is reference code in it, which no text that comes back may show.
        """
        trace = bool(syllabus()[cut.exercise].forbidden)
        veil = without_words(cut.written) if is_veiled else None
        candidate = Candidate(cut.exercise, worker, trace=trace, veil=veil)
        tried = attempt(self._checks, cut, candidate, self.seed)
        return _Go(tried, candidate, self.seed)


def _load() -> None:
    """Load what first marks need, while the zygote gets ready; computes nothing."""
    for name in ("function_diagnosis", "interpretation.diagnosis"):
        importlib.import_module(f".{name}", __package__)
    function_subjects()


class _Marking:
    """Marks the exercises of one submission one after the other, each in a worker of its own.

    What one exercise's code does to its process, on purpose or not, is then nothing to the others,
    and a mark depends on the exercise's code alone.
    """

    def __init__(self, examiner: Examiner, submission: Submission) -> None:
        self._examiner = examiner
        self._submission = submission
        self._budget = examiner.budget()
        self.marks: dict[str, Mark] = {}
        self.hurried: set[str] = set()

    def mark(self, name: str) -> None:
        """Mark one exercise and keep the mark."""
        exercise = syllabus()[name]
        cut = self._submission.slice(name)
        mark = unusable(exercise, cut)
        if mark is None:
            assert cut is not None
            mark = self._mark_in_time(exercise, cut)
        self.marks[name] = mark

    def _mark_in_time(self, exercise: Exercise, cut: Slice) -> Mark:
        """The mark of an exercise that there is code for; tried again where the zygote died."""
        if not self._budget.left:
            return out_of_time(exercise, self._budget.seconds)
        try:
            return self._mark_code(exercise, cut)
        except ZygoteDied:
            return self._mark_code(exercise, cut)

    def _mark_code(self, exercise: Exercise, cut: Slice) -> Mark:
        """The mark of an exercise that there is code for."""
        # Never a later exercise's reference: it may hold this one's own.
        lent = set(syllabus().needs(exercise.name))
        absent = reference_sources(name for name in cut.absent if name in lent)
        if absent:  # exercises that it calls and the submission lacks
            cut = self._submission.slice(exercise.name, absent) or cut
        cut = self._with_companions(exercise, cut)
        shortcuts = find(cut, exercise.forbidden) if exercise.forbidden else ()
        lends = bool(absent) or any(unit.label == REFERENCE for unit in cut.units)
        with self._go(cut, lends) as own:
            mark = judge(exercise, own.tried, shortcuts)
            mark = without_quotes(mark) if lends else mark
            if mark.verdict is Verdict.PASSED:
                return mark
            earlier = tuple(name for name in handed_in_apart(cut, self._submission) if name in lent)
            if not earlier:
                return own.explained(mark)
            mended = self._submission.slice(exercise.name, {**absent, **reference_sources(earlier)})
            if mended is None:
                return own.explained(mark)
        with self._go(mended, lends=True) as carried:
            better = without_quotes(judge(exercise, carried.tried, shortcuts))
            if better.verdict is Verdict.PASSED:
                return replace(better, carried=self._to_mend(exercise, earlier, absent))
            if own.tried.ended is not None:
                return carried.explained(mark)
            if not fails_elsewhere(better, mark):
                hidden = veiled(own.tried, without_words(mended.written))
                hidden_mark = without_quotes(judge(exercise, hidden, shortcuts))
                kept = in_own_words(better, mark, hidden_mark)
                return carried.explained(kept)
        with self._go(cut, lends) as again:  # what is lent does not fit this code: as it is
            return again.explained(mark)

    def _with_companions(self, exercise: Exercise, cut: Slice) -> Slice:
        """The slice with the exercises that its checks need beside it: the learner's, or ours."""
        for name in exercise.beside:
            other = self._submission.slice(name)
            if other is None or other.is_stub or not other.units:
                units: tuple[Unit, ...] = (Unit(reference_source(name), REFERENCE, 1),)
            else:
                units = other.units
            cut = replace(cut, units=(*units, *cut.units))
        return cut

    def _to_mend(
        self, exercise: Exercise, earlier: Sequence[str], absent: dict[str, str]
    ) -> tuple[str, ...]:
        """The earlier exercises to mend: the one that alone makes the difference, if any does."""
        suspects = [name for name in earlier if not self._has_passed(name)] or list(earlier)
        if len(suspects) == 1:
            return tuple(suspects)
        for name in suspects:
            cut = self._submission.slice(exercise.name, {**absent, **reference_sources([name])})
            if cut is not None:
                with self._go(cut, lends=True) as alone:
                    if alone.tried.passed:
                        return (name,)
        return tuple(suspects)

    def _has_passed(self, name: str) -> bool:
        return name in self.marks and self.marks[name].verdict is Verdict.PASSED

    @contextmanager
    def _go(self, cut: Slice, lends: bool) -> Iterator[_Go]:
        """One attempt and the worker it was made in, which may be asked for a diagnosis."""
        with self._examiner.worker(self._budget) as worker:
            go = self._examiner.go(cut, worker, is_veiled=lends)
            yield go
        if go.was_cut_short:
            self.hurried.add(cut.exercise)


@dataclass
class _Go:
    """An attempt, and the candidate it was made with."""

    tried: Attempt
    candidate: Candidate
    seed: int
    _died_diagnosed: bool = False

    @property
    def was_cut_short(self) -> bool:
        """Time ran out, or the worker ended before it had been asked for everything."""
        ended = self.tried.ended
        return self._died_diagnosed or (ended is not None and ended.kind == "timeout")

    def explained(self, mark: Mark) -> Mark:
        """The mark with its mistake, or where to look for it, while there is a worker to ask."""
        tried = self.tried
        if tried.ended or tried.unfinished or tried.unloaded:
            return mark
        try:
            return explained(mark, self.candidate, self.seed)
        except (WorkerDied, ZygoteDied):  # what it was asked ended it: the mark stands without
            self._died_diagnosed = True
            return mark
        except CandidateError:  # it worked while it was checked, and does no more
            return mark
        except Exception:
            return mark  # answers so odd that the mathematics tripped over them have no known name
