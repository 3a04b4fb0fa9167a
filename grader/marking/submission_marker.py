"""Marks one submission: exercises alone, beside lent ones, in a whole run; knows no gradebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..candidate.candidate import Candidate
from ..candidate.records import Mark, Verdict
from ..course.references import reference_source, reference_sources
from ..course.syllabus import Exercise, syllabus
from ..diagnosis.diagnose import explained
from ..submission import REFERENCE, Slice, Submission, Unit, WholeRun, handed_in_apart
from ..submission.shortcuts import find
from ..wall.transport import WorkerDied, WorkerTransport
from ..wall.zygote_client import ZygoteDied
from .attempt import Attempt, attempt, out_of_time, unusable
from .check_session import CheckSession
from .redaction import Redaction
from .verdicts import fails_elsewhere, in_own_words, judge

if TYPE_CHECKING:
    from .examiner import Examiner

# By the clock, for a run of a whole notebook; the worker itself bounds the processor's time.
_RUN_SECONDS = 60.0
# The better mark counts; of equal ones, that of the first way.
_WORTH = {Verdict.PASSED: 3, Verdict.PARTIAL: 2, Verdict.FAILED: 1}


class SubmissionMarker:
    """Marks the exercises of one submission one after the other, each in a worker of its own.

    What one exercise's code does to its process, on purpose or not, is then nothing to the others,
    and a mark depends on the exercise's code alone. What does not pass so is tried once more as its
    author ran it: the whole notebook from its first cell to its last. A context manager, which ends
    the workers of such runs.
    """

    def __init__(self, examiner: Examiner, submission: Submission) -> None:
        self._examiner = examiner
        self._submission = submission
        self._budget = examiner.budget()
        self._runs: dict[tuple[str, tuple[str, ...], tuple[str, ...]], WorkerTransport] = {}
        self._stack = ExitStack()
        self.marks: dict[str, Mark] = {}
        self.incomplete: set[str] = set()
        self.whole: set[str] = set()

    def __enter__(self) -> SubmissionMarker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def mark(self, name: str) -> None:
        """Mark one exercise and keep the mark."""
        exercise = syllabus()[name]
        cut = self._submission.slice(name)
        mark = unusable(exercise, cut)
        if mark is None and not self._budget.left:
            mark = out_of_time(exercise, self._budget.seconds)
        elif mark is None:
            assert cut is not None
            try:
                mark = self._by_slice(exercise, cut)
            except ZygoteDied:
                mark = self._by_slice(exercise, cut)
        assert mark is not None
        self.marks[name] = self._better(exercise, mark, is_stub=cut is not None and cut.is_stub)

    # The first way: what the exercise needs, and nothing else.

    def _by_slice(self, exercise: Exercise, cut: Slice) -> Mark:
        # Never a later exercise's reference: it may hold this one's own.
        lent = set(syllabus().needs(exercise.name))
        absent = reference_sources(name for name in cut.absent if name in lent)
        if absent:  # exercises that it calls and the submission lacks
            cut = self._submission.slice(exercise.name, absent) or cut
        cut = self._with_companions(exercise, cut)
        shortcuts = find(cut, exercise.forbidden)
        lends = bool(absent) or any(unit.label == REFERENCE for unit in cut.units)
        with self._trial(cut, lends) as own:
            mark = judge(exercise, own.tried, shortcuts)
            if mark.verdict is Verdict.PASSED:
                return mark
            earlier = tuple(name for name in handed_in_apart(cut, self._submission) if name in lent)
            if not earlier:
                return own.explained(mark)
            mended = self._submission.slice(exercise.name, {**absent, **reference_sources(earlier)})
            if mended is None:
                return own.explained(mark)
            mended = self._with_companions(exercise, mended)
            with self._trial(mended, lends=True) as carried:
                better = judge(exercise, carried.tried, shortcuts)
                if better.verdict is Verdict.PASSED:
                    return replace(better, carried=self._to_mend(exercise, earlier, absent))
                if own.tried.ended is not None:
                    return carried.explained(mark)
                if not fails_elsewhere(carried.tried, own.tried):
                    kept = in_own_words(carried.tried, own.tried, carried.candidate.redaction)
                    return carried.explained(judge(exercise, kept, shortcuts))
            return own.explained(mark)  # what is lent does not fit this code

    def _with_companions(self, exercise: Exercise, cut: Slice) -> Slice:
        """The slice with the exercises that its checks need beside it: the learner's, or ours."""
        for name in exercise.beside:
            other = self._submission.slice(name)
            if other is not None and other.absent:
                lent = reference_sources(set(syllabus().needs(name)).intersection(other.absent))
                other = self._submission.slice(name, lent)
            units: Sequence[Unit] = () if other is None or other.is_stub else other.units
            units = units or (Unit(reference_source(name), REFERENCE, 1),)
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
                with self._trial(self._with_companions(exercise, cut), lends=True) as alone:
                    if alone.tried.passed:
                        return (name,)
        return tuple(suspects)

    def _has_passed(self, name: str) -> bool:
        return name in self.marks and self.marks[name].verdict is Verdict.PASSED

    @contextmanager
    def _trial(self, cut: Slice, lends: bool) -> Iterator[CheckedAttempt]:
        """One attempt and the worker it was made in, which may be asked for a diagnosis."""
        with self._examiner.worker(self._budget) as worker:
            candidate = self._candidate(cut.exercise, worker, cut.written if lends else None)
            tried = attempt(self._examiner.checks, cut, candidate, self._examiner.seed)
            trial = CheckedAttempt(tried, candidate, self._examiner.seed, self._examiner.checks)
            yield trial
            was_cut_short = trial.was_cut_short or (worker.has_ended and tried.ended is None)
        if was_cut_short:
            self.incomplete.add(cut.exercise)

    def _candidate(
        self, exercise: str, worker: WorkerTransport, lent_beside: Sequence[Unit] | None
    ) -> Candidate:
        """`lent_beside`: there is reference code beside these units, which no text may show."""
        trace = syllabus()[exercise].is_watched
        redaction = None if lent_beside is None else Redaction(lent_beside)
        harness = self._examiner.checks.harness(exercise)
        return Candidate(exercise, worker, trace, redaction, worker.stay_in_time, harness)

    # The second way: the whole notebook, as its author ran it.

    def _better(self, exercise: Exercise, mark: Mark, is_stub: bool) -> Mark:
        """The better of this mark and that of a run of the whole notebook, where it may differ."""
        blamed = [name for name in mark.carried if not self._has_passed(name)]
        if mark.verdict is Verdict.PASSED and (blamed or not mark.carried):
            return mark
        if is_stub or self._submission.stands_alone(exercise.name):
            return mark
        self.whole.add(exercise.name)
        if not self._budget.left:
            return mark
        try:
            second = self._by_whole_run(exercise, mark)
        except (WorkerDied, ZygoteDied):
            return mark
        return second if second and self._is_better(second, mark) else mark

    @staticmethod
    def _is_better(second: Mark, first: Mark) -> bool:
        if second.verdict is first.verdict is Verdict.PASSED:
            return len(second.carried) < len(first.carried)
        return _WORTH.get(second.verdict, 0) > _WORTH.get(first.verdict, 0)

    def _by_whole_run(self, exercise: Exercise, first: Mark) -> Mark | None:
        """What the run of the whole notebook comes to; None where it shows nothing more."""
        needs = syllabus().needs(exercise.name)
        lent = reference_sources(name for name in needs if self._submission.slice(name) is None)
        run = self._submission.whole_run(exercise.name, lent)
        if run is None:
            return None
        own = self._trial_in_run(exercise, run)
        mark = self._judged(exercise, own, run)
        if mark.verdict is Verdict.PASSED:
            return mark
        earlier = tuple(name for name in needs if name in run.exercises and name not in lent)
        if earlier:
            everything = {**lent, **reference_sources(earlier)}
            mended = self._submission.whole_run(exercise.name, everything, earlier)
            if mended is not None:
                better = self._judged(exercise, self._trial_in_run(exercise, mended), mended)
                if better.verdict is Verdict.PASSED:
                    blamed = [name for name in earlier if not self._has_passed(name)]
                    return replace(better, carried=tuple(blamed or earlier))
        return own.explained(mark) if self._is_better(mark, first) else mark

    def _judged(self, exercise: Exercise, trial: CheckedAttempt, run: WholeRun) -> Mark:
        shortcuts = find(run.reached(exercise.name), exercise.forbidden)
        return replace(judge(exercise, trial.tried, shortcuts), is_whole=True)

    def _trial_in_run(self, exercise: Exercise, run: WholeRun) -> CheckedAttempt:
        """The checks on what a run has made; exercises of one notebook share its run."""
        key = (run.notebook, tuple(sorted(run.earlier)), run.replaced)
        worker = self._runs.get(key)
        if worker is None or worker.has_ended:
            worker = self._stack.enter_context(self._examiner.worker(self._budget))
            self._runs[key] = worker
            worker.request("run", run.payload(), timeout=_RUN_SECONDS)
        candidate = self._candidate(exercise.name, worker, run.cells if run.lends else None)
        tried = attempt(self._examiner.checks, None, candidate, self._examiner.seed)
        return CheckedAttempt(tried, candidate, self._examiner.seed, self._examiner.checks)


@dataclass
class CheckedAttempt:
    """An attempt, and the candidate it was made with."""

    tried: Attempt
    candidate: Candidate
    seed: int
    checks: CheckSession

    @property
    def was_cut_short(self) -> bool:
        """Time ran out."""
        ended = self.tried.ended
        return ended is not None and ended.kind == "timeout"

    def explained(self, mark: Mark) -> Mark:
        """The mark with its mistake, or where to look for it, while there is a worker to ask."""
        tried = self.tried
        if tried.ended or tried.unfinished or tried.unloaded:
            return mark
        try:
            # Which operators run is a matter of the mark; one that is refused has raised.
            self.candidate.trace &= bool(tried.problems)
            passes = partial(self.checks.passes, self.candidate, self.seed)
            return explained(mark, self.candidate, self.seed, passes)
        except (WorkerDied, ZygoteDied):  # what it was asked ended it: the mark stands without
            return mark
        except Exception:  # it worked while it was checked and does no more, or answers so oddly
            return mark  # that the mathematics trips over it
