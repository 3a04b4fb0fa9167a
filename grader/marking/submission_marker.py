"""Marks one submission: exercises alone, beside lent ones, in a whole run; knows no gradebook."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..candidate.candidate import Anew, Candidate
from ..candidate.records import Mark, Verdict
from ..curriculum.syllabus import Exercise, syllabus
from ..submission import Slice, Submission, WholeRun
from ..submission.shortcuts import by_operators
from ..wall.transport import WorkerDied, WorkerTransport
from ..wall.zygote_client import ZygoteDied
from .attempt import attempt, load, out_of_time, unusable
from .blur import wait_at_random
from .exercise_marking import CheckedAttempt, mark_exercise, runs_of, slices_of, told
from .gate import Gate

if TYPE_CHECKING:
    from .examiner import Examiner

M = TypeVar("M")

# By the clock, for a run of a whole notebook; the worker itself bounds the processor's time.
_RUN_SECONDS = 60.0
# Of one notebook, each without what is ready-made in those before, or without other exercises.
_RUNS = 4
_KEPT = 2  # runs without anything replaced, which the notebook's next exercise may ask
# The better mark counts; of equal ones, that of the first way.
_WORTH = {Verdict.PASSED: 3, Verdict.PARTIAL: 2, Verdict.FAILED: 1}


class _RunKey(NamedTuple):
    """Which run of which notebook it was."""

    notebook: str
    earlier: tuple[str, ...]
    replaced: tuple[str, ...]
    without: tuple[str, ...]


class SubmissionMarker:
    """Marks the exercises of one submission one after the other, each in a worker of its own.

    What one exercise's code does to its process, on purpose or not, is then nothing to the others,
    and a mark depends on the exercise's code alone. What does not pass so is tried once more as its
    author ran it: the whole notebook from its first cell to its last. A context manager, which ends
    the workers of such runs.
    """

    def __init__(self, examiner: Examiner, submission: Submission, spent: float = 0.0) -> None:
        self._examiner = examiner
        self._submission = submission
        self._budget = examiner.budget()
        self._budget.used += spent
        self._runs: dict[_RunKey, tuple[WorkerTransport, Sequence[str]]] = {}
        self._explains = True
        self.marks: dict[str, Mark] = {}
        self._aside = cache(self._mark)  # of exercises that others name, and nobody asked for
        self.incomplete: set[str] = set()
        self.whole: set[str] = set()

    def __enter__(self) -> SubmissionMarker:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_runs()

    def mark(self, name: str) -> None:
        """Mark one exercise and keep the mark."""
        mark = self._mark(name)
        if self.whole.intersection(mark.carried):
            self.whole |= {name}
        # Of a trial, all has passed a gate; the rest tells of the reading alone.
        self.marks[name] = Gate().mark(told(mark, self._submission, self._known))

    def _known(self, name: str) -> Mark:
        """The mark of an exercise that may not have been asked for."""
        return self.marks.get(name) or self._aside(name)

    def _mark(self, name: str) -> Mark:
        exercise = syllabus()[name]
        cut = self._submission.slice(name)
        is_stub = cut is not None and cut.is_stub
        near = self._submission.nearly_named(name) if cut is None or is_stub else None
        mark = unusable(exercise, cut, near)
        if mark is None and not self._budget.left:
            mark = out_of_time(exercise, self._budget.seconds)
        if mark is not None:
            return self._better(exercise, mark)
        assert cut is not None
        work = slices_of(exercise, self._submission, cut)
        first_way = partial(mark_exercise, work, self._trial, self._known)
        return self._better(exercise, self._outlasting(exercise, first_way))

    def _outlasting(self, exercise: Exercise, made: Callable[[], M]) -> M:
        """What comes of marking, also where the zygote is killed meanwhile: then anew.

        If it dies once more, it may be of what is asked for a diagnosis: the third try has none.
        """
        if exercise.judges and self._examiner.waits_at_random:
            made = partial(_ending_at_random, made)
        before = self._explains
        try:
            for _ in range(2):
                with suppress(ZygoteDied):
                    return made()
            self._explains = False
            return made()
        finally:
            self._explains = before

    @contextmanager
    def _trial(self, cut: Slice) -> Iterator[CheckedAttempt]:
        """One attempt and the worker it was made in, which may be asked for a diagnosis."""
        with self._examiner.worker(self._budget) as worker:
            trial = self._checked(cut.exercise, worker, cut)
            yield trial
            was_cut_short = trial.was_cut_short or (worker.has_ended and trial.tried.ended is None)
        if was_cut_short:
            self.incomplete.add(cut.exercise)

    def _checked(
        self, exercise: str, worker: WorkerTransport, code: Slice | WholeRun
    ) -> CheckedAttempt:
        """The checks on a slice, or on what a whole run has made here."""
        examiner, cut = self._examiner, code if isinstance(code, Slice) else None
        trace, harness = syllabus()[exercise].is_watched, examiner.checks.harness(exercise)
        gate = Gate(code.written, lends=code.lends, is_asked_again=examiner.draws_by_code)

        def candidate_in(worker: WorkerTransport, anew: Anew | None = None) -> Candidate:
            return Candidate(exercise, worker, trace, gate, worker.stay_in_time, harness, anew)

        @contextmanager
        def anew() -> Iterator[Candidate]:
            with examiner.worker(self._budget) as other:
                if isinstance(code, WholeRun):
                    _run(other, code)
                load(cut, same := candidate_in(other))
                same.operators = candidate.operators  # what runs counts wherever it is asked
                yield same

        candidate = candidate_in(worker, anew)
        seed = examiner.checks_seed(exercise, self._submission.cells)
        tried = attempt(examiner.checks, cut, candidate, seed)
        passes = partial(examiner.checks.passes, candidate, seed)
        return CheckedAttempt(tried, candidate, gate, examiner.seed, passes, self._explains)

    # The second way: the whole notebook, as its author ran it.

    def _better(self, exercise: Exercise, mark: Mark) -> Mark:
        """The better of this mark and that of a run of the whole notebook, where it may differ."""
        blamed = [name for name in mark.carried if self._known(name).verdict is not Verdict.PASSED]
        if mark.verdict is Verdict.PASSED and (blamed or not mark.carried):
            return mark
        if self._submission.stands_alone(exercise.name):
            return mark
        self.whole.add(exercise.name)
        if not self._budget.left:
            return mark
        try:
            second = self._outlasting(exercise, lambda: self._by_whole_run(exercise, mark))
        except (WorkerDied, ZygoteDied):
            return mark
        return second if second and self._is_better(second, mark) else mark

    @staticmethod
    def _is_better(second: Mark, first: Mark) -> bool:
        if second.verdict is first.verdict is Verdict.PASSED:
            return len(second.carried) < len(first.carried)
        return _WORTH.get(second.verdict, 0) > _WORTH.get(first.verdict, 0)

    def _by_whole_run(self, exercise: Exercise, first: Mark) -> Mark | None:
        """What the run of the whole notebook comes to; None where there is none."""
        work = runs_of(exercise, self._submission)
        if work is None:
            return None

        def trial(run: WholeRun) -> AbstractContextManager[CheckedAttempt]:
            made = self._trial_in_run(exercise, run)
            made.explains &= self._is_better(work.judged(made.tried), first)
            return nullcontext(made)

        try:
            return mark_exercise(work, trial, self._known)
        finally:
            # What a judge has heard, no other exercise is to tell.
            self._end_runs(0 if exercise.judges else _KEPT)

    def _trial_in_run(self, exercise: Exercise, run: WholeRun) -> CheckedAttempt:
        """The checks on what a run has made, which does without what the exercise forbids.

        Cells around it may compare with what is ready-made. So where that ran, the notebook is run
        anew while it raises: what passes then is not made of it. Where it ran for exercises that
        were asked here before, it is run anew for this one alone.
        """
        for _ in range(_RUNS):
            worker, ready_made = self._worker_of(run)
            made = self._checked(exercise.name, worker, run)
            ran, by_others = (
                [each for each in names if by_operators([each], exercise.forbidden)]
                for names in (ready_made, made.candidate.heard)
            )
            if not (ran or by_others) or not made.tried.essential_passed:
                return made
            if by_others:
                self._runs.pop(_key_of(run))[0].close()
            run = replace(run, without=(*run.without, *ran))
        made.tried = replace(made.tried, operators=(*made.tried.operators, *ran, *by_others))
        return made

    def _worker_of(self, run: WholeRun) -> tuple[WorkerTransport, Sequence[str]]:
        """Where this was run, and what is ready-made in it; exercises of one notebook share it."""
        key = _key_of(run)
        if key not in self._runs or self._runs[key][0].has_ended:
            worker = self._examiner.worker(self._budget)
            self._runs[key] = worker, ()
            self._runs[key] = worker, _run(worker, run)
        return self._runs[key]

    def _end_runs(self, most: int = 0) -> None:
        """End the workers of all runs but the latest of those in which nothing is replaced."""
        own = [key for key in self._runs if not key.replaced]
        for key in self._runs.keys() - own[len(own) - min(most, len(own)) :]:
            worker, _ = self._runs.pop(key)
            worker.close()


def _key_of(run: WholeRun) -> _RunKey:
    return _RunKey(run.notebook, tuple(sorted(run.earlier)), run.replaced, run.without)


def _run(worker: WorkerTransport, run: WholeRun) -> Sequence[str]:
    answer = worker.request("run", run.payload(), timeout=_RUN_SECONDS)
    return tuple(map(str, answer.get("ok", {}).get("ready_made", ())))


def _ending_at_random(made: Callable[[], M]) -> M:
    """The same; of a judge that errs, when it is there tells nothing of what was heard.

    Code that is asked about many implementations could wait until a moment of its choice, and so
    tell what most of them answer to code that is run next: that of a whole run, or of another.
    """
    began = time.monotonic()
    try:
        mark = made()
    except Exception:  # and no interrupt: who ends a run does not wait
        wait_at_random(began)
        raise
    if not isinstance(mark, Mark) or mark.verdict is not Verdict.PASSED:
        wait_at_random(began)
    return mark
