"""Marks an object of this very process, for who wrote it; has no wall and no gradebook."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

from .attempt import Attempt
from .candidate import Candidate
from .diagnosis import explained
from .records import Mark, Verdict
from .references import reference
from .session import CheckSession
from .shortcuts import Shortcut, find
from .submission import Cell, Submission
from .syllabus import Exercise, syllabus
from .threads import one_thread
from .verdicts import judge
from .worker.service import Service


class Here:
    """The transport that leads nowhere else."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """The service's own answer."""
        return self._service.handle(op, payload)


@cache
def checks() -> CheckSession:
    """The checks, collected once in this process."""
    return CheckSession()


def mark_in_kernel(name: str, value: Any, seed: int = 0) -> Mark:
    """The mark of a function or class as it is in this kernel now."""
    with one_thread():
        return _mark(syllabus()[name], value, seed)


def _mark(exercise: Exercise, value: Any, seed: int) -> Mark:
    name = exercise.name
    service = Service()
    service.bind({**_beside(exercise, value), name: value}, checks().harness(name) or None)
    candidate = Candidate(name, Here(service), trace=exercise.is_watched)
    tried = Attempt(runs=checks().run(name, candidate, seed))
    tried = replace(tried, operators=tuple(candidate.operators))
    mark = judge(exercise, tried, _shortcuts(exercise, value))
    if mark.verdict in (Verdict.PASSED, Verdict.NOT_STARTED, Verdict.BLOCKED):
        return mark
    try:
        return explained(mark, candidate, seed)
    except Exception:
        return mark  # answers so odd that the mathematics tripped over them have no known name


def _beside(exercise: Exercise, value: Any) -> dict[str, Any]:
    """The exercises that a check wants beside this one: the learner's if there are, else ours."""
    own = _globals(value)
    return {name: own.get(name) or reference(name) for name in (*exercise.uses, *exercise.beside)}


def _globals(value: Any) -> Mapping[str, Any]:
    """The names that the learner's code sees."""
    holder = inspect.unwrap(value) if callable(value) else value
    if isinstance(holder, type):
        methods = (getattr(holder, part, None) for part in ("forward", "__init__"))
        holder = next((m for m in methods if hasattr(m, "__globals__")), holder)
    found = getattr(holder, "__globals__", {})
    return found if isinstance(found, dict) else {}


def _shortcuts(exercise: Exercise, value: Any) -> tuple[Shortcut, ...]:
    """Ready-made functions in the source, read with the modules that the kernel has imported."""
    try:
        source = inspect.getsource(value)
    except (OSError, TypeError):
        return ()
    imports = [
        f"import {module.__name__} as {name}"
        for name, module in _globals(value).items()
        if isinstance(module, ModuleType) and name.isidentifier() and not name.startswith("_")
    ]
    cells = (
        Cell("\n".join(imports), "imports", "notebook", 0),
        Cell(source, "this cell", "notebook", 1),
    )
    cut = Submission("", frozenset(syllabus().names), cells).slice(exercise.name)
    return () if cut is None else find(cut, exercise.forbidden)
