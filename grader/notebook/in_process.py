"""Marks an object of this very process, or its cells, for who wrote it; has no wall, no gradebook.

A kernel's objects hold on to each other; cells are run anew with others in their place. In a bundle
another module of this name, from cli/release/files/, is there instead.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from ..candidate.candidate import Candidate
from ..candidate.records import Mark, Verdict
from ..curriculum.other_ways import right_ways
from ..curriculum.references import reference
from ..curriculum.syllabus import Exercise, syllabus
from ..marking.attempt import attempt, checked, unusable
from ..marking.check_session import CheckSession
from ..marking.exercise_marking import (
    CheckedAttempt,
    Trial,
    mark_exercise,
    mark_with_right_parts,
    slices_of,
    told,
)
from ..marking.gate import Gate
from ..marking.verdicts import judge
from ..submission import Cell, Slice, Submission, defined_at
from ..submission.shortcuts import Shortcut, find
from ..worker.answering import Service
from ..worker.namespace import Bound, is_in_kernel
from .checked import Checked
from .kept_alive import kept_alive
from .kernel_state import undisturbed
from .line_search import begin, search_for
from .on_the_cpu import on_the_cpu
from .output import Output, kept_output
from .own_code import cells_for, nearly_named
from .reading import file, global_names, is_module, own_name, source
from .time_limit import TimeLimit
from .watched import LentWatch, Watched

SECONDS = 10.0  # for all calls of one check together
_SECONDS_OF_EARLIER = 2.0  # for an earlier exercise, of which more is known then
_OLDER = (
    "What it calls in this notebook is older than what your cells hold, with which it passes. "
    "Run them again from the first, imports too."
)


@cache
def checks() -> CheckSession:
    """The checks, collected once in this process."""
    return CheckSession()


def get_ready() -> None:
    """Load what the first check needs, and start what looks for lines."""
    checks()
    begin()


def check_in_kernel(
    name: str,
    value: Any,
    seed: int = 0,
    seconds: float = SECONDS,
    explain: bool = True,
    mends: bool = False,
    lent: Collection[str] = (),
) -> Checked:
    """The mark, and what else there is to say; the kernel is left as it was.

    `lent` are earlier exercises for which this kernel works with the reference's. An interrupt
    passes through it; the next check then collects the checks anew, as pytest cannot tell what was
    left half done.
    """
    exercise = syllabus()[name]
    try:
        session = checks()
        with _kernel_left_as_it_is(value, seconds) as kernel:
            text, watch = kernel.text, LentWatch({name, *lent})
            harness = session.harness(name)
            service = _bound(exercise, value, kernel.names, harness)
            here = Watched(service, kernel.limit, kernel.output, watch)
            candidate = Candidate(name, here, trace=exercise.is_watched, harness=harness)
            written = text if Bound.label_of(file(value)) else ""  # else what ran tells it
            shortcuts = _shortcuts(exercise, written, kernel.names)
            own = attempted(candidate, seed, explain, mends)
            mark, remark = judge(exercise, own.tried, shortcuts), ""
            is_lent = name in watch.called
            if is_lent or shortcuts or not exercise.uses:
                mark = own.explained(mark)
            elif mark.verdict is Verdict.TIMEOUT and not explain:
                pass  # of which nothing more is known in the time that there is
            elif watch.called or mark.verdict is not Verdict.PASSED:
                cells = _ByCells(session, seed, seconds, explain)
                mark, remark = cells.better(exercise, value, text, own, mark)
    except BaseException:
        checks.cache_clear()
        raise
    checked = Checked(mark, is_lent, text, kernel.output.lines, kernel.output.written, remark)
    return _with_more(checked, value) if explain and not is_lent else checked


@dataclass(frozen=True)
class _Kernel:
    """What a check finds in a kernel, and what it runs with."""

    names: Mapping[str, Any]  # the globals of what is checked
    text: str  # its source, where that is known
    output: Output
    limit: TimeLimit


@contextmanager
def _kernel_left_as_it_is(value: Any, seconds: float) -> Iterator[_Kernel]:
    """Inside, a learner's code runs on the CPU and as in a fresh process; what it shows is kept."""
    with undisturbed(), kept_alive(), kept_output() as output, TimeLimit(seconds) as limit:
        names, text = limit.run(lambda: (global_names(value), source(value))) or ({}, "")
        with on_the_cpu(names):
            yield _Kernel(names, text, output, limit)


def _bound(exercise: Exercise, value: Any, names: Mapping[str, Any], harness: str) -> Service:
    """The object as a candidate; beside it what checks want: the learner's own, else ours."""
    service = Service()
    wanted = (*exercise.uses, *exercise.beside)
    beside = {each: names[each] if each in names else reference(each) for each in wanted}
    service.bind({**beside, exercise.name: value}, harness)
    return service


def _with_more(checked: Checked, value: Any) -> Checked:
    """The same with what is right too, a name that was meant, and a search for a line."""
    mark, ways, search = checked.mark, checked.ways, checked.search
    if mark.verdict is Verdict.PASSED:
        ways = right_ways(mark.name)
    elif mark.verdict is Verdict.NOT_STARTED:
        near = nearly_named(mark.name, value)
        mark = (near and unusable(syllabus()[mark.name], None, near)) or mark
    if is_in_kernel():
        search = search_for(mark, value)
    return replace(checked, mark=mark, ways=ways, search=search)


def attempted(candidate: Candidate, seed: int, explain: bool, mends: bool) -> CheckedAttempt:
    """What came of checking an object of this process.

    `mends`: look also for one small change to the code that makes it right. That runs the code
    some hundred times more, changed: too slow and too bold for a learner's kernel.
    """
    passes = partial(checks().passes, candidate, seed) if mends else None
    tried = checked(checks(), candidate, seed)
    explains = explain and not tried.passed
    searches = not is_in_kernel()  # else in a process of its own, after the card
    return CheckedAttempt(tried, candidate, Gate(), seed, passes, explains, searches)


def _shortcuts(exercise: Exercise, text: str, names: Mapping[str, Any]) -> tuple[Shortcut, ...]:
    """Ready-made functions in the source, read with the modules that the kernel has imported."""
    if not text:
        return ()
    imports = [
        f"import {own_name(module)} as {name}"
        for name, module in names.items()
        if is_module(module) and name.isidentifier() and not name.startswith("_")
    ]
    cells = (  # of one file, so that each knows the names of the other
        Cell("\n".join(imports), "this cell", "notebook", 0),
        Cell(text, "this cell", "notebook", 1),
    )
    cut = Submission("", frozenset(syllabus().names), cells).slice(exercise.name)
    return () if cut is None else find(cut, exercise.forbidden)


@dataclass(frozen=True)
class _ByCells:
    """How cells are tried in their learner's own process."""

    session: CheckSession
    seed: int
    seconds: float
    explain: bool

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
        work = slices_of(exercise, submission, cut)

        @cache
        def mark_of(name: str) -> Mark | None:
            """An earlier exercise's own mark, where there is one."""
            earlier, its = syllabus()[name], submission.slice(name)
            mark = unusable(earlier, its)
            if mark is None and its is not None:
                with TimeLimit(_SECONDS_OF_EARLIER) as limit:
                    its_work = slices_of(earlier, submission, its)
                    mark = mark_exercise(its_work, self._within(limit), mark_of)
            return mark

        with TimeLimit(self.seconds) as limit:
            trial = self._within(limit)
            if mark.verdict is Verdict.PASSED:  # beside what is lent: for want of what is written?
                mark = replace(mark, carried=mark_exercise(work, trial, mark_of).carried)
            else:
                mark = mark_with_right_parts(work, own, mark, trial, mark_of)
                if mark.carried:
                    with trial(work.own) as written:
                        if written.tried.passed:
                            return replace(mark, carried=()), _OLDER
        if not self.explain:
            return mark, ""
        return told(mark, submission, mark_of), ""

    def _within(self, limit: TimeLimit) -> Trial[Slice]:
        @contextmanager
        def trial(cut: Slice) -> Iterator[CheckedAttempt]:
            name, service = cut.exercise, Service()
            here = Watched(service, limit, Output(), nullcontext())
            watches, harness = syllabus()[name].is_watched, self.session.harness(name)
            gate = Gate(cut.written, lends=cut.lends)
            candidate = Candidate(name, here, watches, gate, harness=harness)
            searches = not is_in_kernel()
            try:
                tried = attempt(self.session, cut, candidate, self.seed)
                yield CheckedAttempt(
                    tried, candidate, gate, self.seed, None, self.explain, searches
                )
            finally:
                service.bind({})  # which forgets what was loaded

        return trial


def _is_of(cut: Slice, text: str) -> bool:
    """Whether this text, or the cell that it is, holds what the slice defines."""
    unit = defined_at(cut)
    code = unit.code.strip() if unit is not None else ""
    return bool(code and text.strip()) and (code in text or text.strip() in code)
