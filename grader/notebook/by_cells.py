"""Marks an exercise of this kernel by its cells, with right earlier exercises beside it.

A kernel's objects hold on to each other; cells are run anew with others in their place.
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..candidate.candidate import Candidate
from ..candidate.records import Mark, Verdict
from ..curriculum.syllabus import Exercise, syllabus
from ..marking.attempt import attempt, unusable
from ..marking.check_session import CheckSession
from ..marking.early_mistakes import (
    CheckedAttempt,
    ExerciseSlices,
    Trial,
    mark_slice,
    mark_with_right_parts,
    told,
)
from ..marking.gate import Gate
from ..submission import Slice, Submission, defined_at
from ..worker.answering import Service
from .output import Output
from .own_code import cells_for
from .time_limit import TimeLimit
from .watched import Watched

_SECONDS = 2.0  # for an earlier exercise, of which more is known then
_OLDER = (
    "What it calls in this notebook is older than what your cells hold, with which it passes. "
    "Run them again from the first, imports too."
)


@dataclass(frozen=True)
class ByCells:
    """How cells are tried in their learner's own process."""

    session: CheckSession
    seed: int
    seconds: float
    explain: bool
    searches: bool

    def better(
        self, exercise: Exercise, value: Any, text: str, own: CheckedAttempt, mark: Mark
    ) -> tuple[Mark, str]:
        """The mark of what came of an object, as early mistakes leave it, and a remark.

        `text` is the object's own: cells that hold another one say nothing of it.
        """
        cells = cells_for(exercise.name, value)
        submission = Submission("you", frozenset(syllabus().names), cells)
        cut = submission.slice(exercise.name)
        if cut is None or unusable(exercise, cut) is not None or not _is_of(cut, text):
            return own.explained(mark), ""
        slices = ExerciseSlices(exercise, submission, cut)
        mark_of = partial(self._mark_of, submission, {})
        with TimeLimit(self.seconds) as limit:
            trial = self._within(limit)
            if mark.verdict is Verdict.PASSED:  # beside what is lent: for want of what is written?
                mark = replace(mark, carried=mark_slice(slices, trial, mark_of).carried)
            else:
                mark = mark_with_right_parts(slices, own, mark, trial, mark_of)
                if mark.carried:
                    with trial(slices.own, slices.lends) as written:
                        if written.tried.passed:
                            return replace(mark, carried=()), _OLDER
        if not self.explain:
            return mark, ""
        return told(mark, submission, mark_of), ""

    def _mark_of(
        self, submission: Submission, known: dict[str, Mark | None], name: str
    ) -> Mark | None:
        """An earlier exercise's own mark, where there is one."""
        if name not in known:
            exercise, cut = syllabus()[name], submission.slice(name)
            mark = unusable(exercise, cut)
            if mark is None and cut is not None:
                slices = ExerciseSlices(exercise, submission, cut)
                with TimeLimit(_SECONDS) as limit:
                    mark_of = partial(self._mark_of, submission, known)
                    mark = mark_slice(slices, self._within(limit), mark_of)
            known[name] = mark
        return known[name]

    def _within(self, limit: TimeLimit) -> Trial:
        @contextmanager
        def trial(cut: Slice, lends: bool) -> Iterator[CheckedAttempt]:
            name, service = cut.exercise, Service()
            here = Watched(service, limit, Output(), nullcontext())
            watches, harness = syllabus()[name].is_watched, self.session.harness(name)
            gate = Gate(cut.written, lends=lends)
            candidate = Candidate(name, here, watches, gate, harness=harness)
            try:
                tried = attempt(self.session, cut, candidate, self.seed)
                yield CheckedAttempt(
                    tried, candidate, gate, self.seed, None, self.explain, self.searches
                )
            finally:
                service.bind({})  # which forgets what was loaded

        return trial


def _is_of(cut: Slice, text: str) -> bool:
    """Whether this text, or the cell that it is, holds what the slice defines."""
    unit = defined_at(cut)
    code = unit.code.strip() if unit is not None else ""
    return bool(code and text.strip()) and (code in text or text.strip() in code)
