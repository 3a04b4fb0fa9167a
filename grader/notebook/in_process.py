"""Marks an object of this very process, for who wrote it; has no wall and no gradebook."""

import importlib
from collections.abc import Mapping
from functools import cache, partial
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
from .checked import Checked
from .kernel_state import undisturbed
from .lent import LentWatch
from .output import Output, kept_output
from .reading import global_names, is_module, label, own_name, source
from .time_limit import TimeLimit

SECONDS = 10.0  # for all calls of one check together
_WITHOUT_DIAGNOSIS = (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.BLOCKED)


class Here:
    """The transport that leads nowhere else."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        return self._service.handle(op, payload)


class Watched:
    """The same, in bounded time and with an eye on what code shows and what it leaves to others.

    Raises WorkerDied when the time is over.
    """

    def __init__(
        self, service: Service, limit: TimeLimit, output: Output, watch: LentWatch
    ) -> None:
        self._service = service
        self._limit = limit
        self._output = output
        self._watch = watch

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        self._output.listens = True
        try:
            with self._watch:
                answer = self._limit.run(lambda: self._service.handle(op, payload))
        finally:
            self._output.end_line()
            self._output.listens = False
        if self._limit.is_over or answer is None:
            raise WorkerDied("timeout", self._how_long())
        return answer

    def _how_long(self) -> str:
        places = ((label(file), line) for file, line in self._limit.at)
        place = next((f"; then it was at {cell}, line {line}" for cell, line in places if cell), "")
        return f"its calls took more than {self._limit.seconds:g} seconds{place}"


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
            service.bind({**_beside(exercise, names), name: value}, harness)
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
    try:
        return explained(mark, candidate, seed, passes)
    except Exception:
        return mark  # out of time, or answers so odd that the mathematics tripped over them


def _beside(exercise: Exercise, names: Mapping[str, Any]) -> dict[str, Any]:
    """The exercises that a check wants beside this one: the learner's if there are, else ours."""
    wanted = (*exercise.uses, *exercise.beside)
    return {name: names[name] if name in names else reference(name) for name in wanted}


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
