"""Marks an object of this very process, for who wrote it; has no wall and no gradebook."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import FunctionType
from typing import Any

from ..candidate.candidate import Candidate
from ..candidate.records import Mark, Verdict
from ..course.references import reference
from ..course.syllabus import Exercise, syllabus
from ..diagnosis.diagnose import explained
from ..marking.attempt import Attempt
from ..marking.check_session import CheckSession
from ..marking.verdicts import judge
from ..submission import Cell, Submission
from ..submission.shortcuts import Shortcut, find
from ..wall.transport import WorkerDied
from ..worker.answering import Service
from ..worker.call_notes import overheard
from .checked import Checked
from .kernel_state import undisturbed
from .output import Output, kept_output
from .reading import global_names, is_module, label, own_name, source
from .time_limit import TimeLimit

SECONDS = 10.0  # for all calls of one check together
_WITHOUT_DIAGNOSIS = (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.BLOCKED)


class LentWatch:
    """While it is entered, `ran` becomes true when the reference of this exercise runs.

    Wrapped, renamed or subclassed: what runs is the same function, with other code for a while.
    """

    def __init__(self, exercise: str) -> None:
        self.ran = False
        thing = reference(exercise)
        held = vars(thing).values() if isinstance(thing, type) else [thing]
        self._functions = [each for each in held if isinstance(each, FunctionType)]
        self._own = [function.__code__ for function in self._functions]
        self._noting = [overheard(function, self._note)[0] for function in self._functions]

    def __enter__(self) -> None:
        for function, code in zip(self._functions, self._noting, strict=True):
            function.__code__ = code

    def __exit__(self, *_: object) -> None:
        for function, code in zip(self._functions, self._own, strict=True):
            function.__code__ = code

    def _note(self) -> None:
        self.ran = True


@dataclass(frozen=True)
class Here:
    """The transport that leads nowhere else."""

    service: Service

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        return self.service.handle(op, payload)


@dataclass(frozen=True)
class Watched:
    """The same, in bounded time and with an eye on what code shows and what it leaves to others.

    Raises WorkerDied when the time is over.
    """

    service: Service
    limit: TimeLimit
    output: Output
    watch: LentWatch

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        self.output.listens = True
        try:
            with self.watch:
                answer = self.limit.run(lambda: self.service.handle(op, payload))
        finally:
            self.output.end_line()
            self.output.listens = False
        if self.limit.is_over or answer is None:
            places = ((label(file), line) for file, line in self.limit.at)
            own = (f"; then it was at {cell}, line {line}" for cell, line in places if cell)
            reason = f"its calls took more than {self.limit.seconds:g} seconds{next(own, '')}"
            raise WorkerDied("timeout", reason)
        return answer


@cache
def checks() -> CheckSession:
    """The checks, collected once in this process."""
    # PyTorch loads this in the first call under a dispatch mode; that takes seconds, which are not
    # the learner's.
    importlib.import_module("torch._dynamo")
    return CheckSession()


def mark_in_kernel(name: str, value: Any, seed: int = 0, mends: bool = False) -> Mark:
    """The mark of a function or class as it is in this kernel now."""
    return check_in_kernel(name, value, seed, mends=mends).mark


def check_in_kernel(
    name: str,
    value: Any,
    seed: int = 0,
    seconds: float = SECONDS,
    explain: bool = True,
    mends: bool = False,
) -> Checked:
    """The mark, and what else there is to say; the kernel is left as it was.

    An interrupt passes through it; the next check then collects the checks anew, as pytest cannot
    tell what was left half done.
    """
    exercise = syllabus()[name]
    try:
        session = checks()
        with undisturbed(), kept_output() as output, TimeLimit(seconds) as limit:
            names, text = limit.run(lambda: (global_names(value), source(value))) or ({}, "")
            service, watch = Service(), LentWatch(name)
            harness = session.harness(name)
            # What a check wants beside it: the learner's own where there is one, else ours.
            wanted = (*exercise.uses, *exercise.beside)
            beside = {each: names[each] if each in names else reference(each) for each in wanted}
            service.bind({**beside, name: value}, harness)
            here = Watched(service, limit, output, watch)
            candidate = Candidate(name, here, trace=exercise.is_watched, harness=harness)
            shortcuts = _shortcuts(exercise, text, names)
            mark = mark_candidate(exercise, candidate, shortcuts, seed, explain, mends)
    except BaseException:
        checks.cache_clear()
        raise
    return Checked(mark, watch.ran, text, output.lines, output.written)


def mark_candidate(
    exercise: Exercise,
    candidate: Candidate,
    shortcuts: tuple[Shortcut, ...] = (),
    seed: int = 0,
    explain: bool = True,
    mends: bool = False,
) -> Mark:
    """The mark of what a candidate of this process does; explained if wanted and if it is wrong.

    `mends`: look also for one small change to the code that makes it right. That runs the code
    some hundred times more, changed: too slow and too bold for a learner's kernel.
    """
    passes = partial(checks().passes, candidate, seed) if mends else None
    runs = checks().run(exercise.name, candidate, seed)
    ended = next((run.error for run in runs if isinstance(run.error, WorkerDied)), None)
    tried = Attempt(runs=runs, ended=ended, operators=tuple(candidate.operators))
    mark = judge(exercise, tried, shortcuts)
    if not explain or ended or mark.verdict in _WITHOUT_DIAGNOSIS:
        return mark
    # Which operators run is a matter of the mark; one that is refused has raised.
    candidate.trace &= bool(tried.problems)
    try:
        return explained(mark, candidate, seed, passes)
    except Exception:
        return mark  # out of time, or answers so odd that the mathematics tripped over them


def _shortcuts(exercise: Exercise, text: str, names: Mapping[str, Any]) -> tuple[Shortcut, ...]:
    """Ready-made functions in the source, read with the modules that the kernel has imported."""
    if not text:
        return ()
    imports = [
        f"import {own_name(module)} as {name}"
        for name, module in names.items()
        if is_module(module) and name.isidentifier() and not name.startswith("_")
    ]
    cells = (
        Cell("\n".join(imports), "imports", "notebook", 0),
        Cell(text, "this cell", "notebook", 1),
    )
    cut = Submission("", frozenset(syllabus().names), cells).slice(exercise.name)
    return () if cut is None else find(cut, exercise.forbidden)
