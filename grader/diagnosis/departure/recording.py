"""What each line of somebody's code made in one call, as a worker claims it; judges nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import Line, Place, Quote
from ...course.syllabus import syllabus
from ...submission import REFERENCE
from ...worker.answering import invoke_here
from ...worker.arguments import Arguments
from ...worker.trail import MAX_BYTES, MAX_NUMBERS, Trail, size_of
from ...worker.values import Opaque
from .known import Known

# Right code: the solutions, and the formulas that candidates are compared with.
_OURS = re.compile(r"[/\\\\](solutions|misconceptions|interpretation)[/\\\\]\w+\.py$")


@dataclass(frozen=True)
class RecordedStatement:
    """One statement of a learner's."""

    place: Place
    function: str
    source: str
    body: int  # where the body of a condition or loop begins; 0 for others
    is_loop: bool
    reads: tuple[str, ...]
    sets: tuple[str, ...]
    rows: tuple[str, ...] = ()  # its lines, where it has several

    @property
    def line(self) -> Line:
        """Its place, to be named by its number."""
        return Line(self.place.label, self.place.line)

    @property
    def quote(self) -> Quote:
        """Its words, as the worker says."""
        return self.place.quote(self.source)

    def at_row(self, row: int) -> RecordedStatement:
        """One line of it."""
        place = Place(self.place.label, self.place.line + row)
        return replace(self, place=place, source=self.rows[row], rows=())


@dataclass(frozen=True)
class Event:
    """One statement has run: what it made, by name; `at` is where its function was called from."""

    frame: int
    caller: int
    at: int
    kind: str
    statement: int
    writes: Mapping[str, Any]


class Allowance:
    """What is looked at of one recording: no more than an honest worker sends."""

    def __init__(self) -> None:
        self._left = MAX_BYTES

    def kept(self, value: Any) -> Any:
        """The value, or what stands for one that is left out."""
        self._left -= size_of(value)
        is_large = isinstance(value, Tensor) and value.numel() > MAX_NUMBERS
        return Opaque("") if is_large or self._left < 0 else value


@dataclass(frozen=True)
class Recording:
    """One call."""

    statements: tuple[RecordedStatement, ...]
    events: tuple[Event, ...]
    problem: Problem | None

    @classmethod
    def from_value(cls, plain: Mapping[str, Any]) -> Recording:
        """Read what a worker sent, whose form has been checked and whose content has not."""
        statements = tuple(
            RecordedStatement(
                Place(row["label"], row["line"]),
                row["function"],
                row["source"],
                row["body"],
                row["source"].startswith("for "),
                tuple(row["reads"]),
                tuple(row["sets"]),
                tuple(row["rows"]),
            )
            for row in plain["statements"]
        )
        left = Allowance()
        events = tuple(
            Event(
                row["frame"],
                row["caller"],
                row["at"],
                row["kind"],
                row["statement"],
                {name: left.kept(value) for name, value in row["writes"].items()},
            )
            for row in plain["events"]
            if 0 <= row["statement"] < len(statements) and row["at"] < len(statements)
        )
        problem = plain["problem"]
        return cls(statements, events, None if problem is None else Problem.from_value(problem))

    def is_answer(self, event: Event) -> bool:
        """Whether a call from outside ends there; not one of __init__, which some do not write."""
        if event.kind != "return" or event.caller:
            return False
        return not self.statements[event.statement].function.endswith("__init__")


def record(
    candidate: Candidate,
    target: Mapping[str, Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    seed: int = 0,
) -> Recording | None:
    """One call of the candidate's; None where not even that can be had.

    `seed`: of PyTorch's own random numbers.
    """
    try:
        plain = candidate.request(
            "record",
            target=dict(target),
            args=tuple(args),
            kwargs=dict(kwargs),
            skip=[REFERENCE, *_others(candidate.exercise)],
            seed=seed,
        )
    except CandidateError:
        return None
    return Recording.from_value(plain)


def _others(exercise: str) -> list[str]:
    """What runs inside of these is another exercise's matter."""
    return [name for name in syllabus().names if name != exercise]


class _Outputs(TorchFunctionMode):
    """Hands over what every operator gives."""

    def __init__(self, known: Known) -> None:
        super().__init__()
        self._known = known

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        for each in tree_leaves(made):
            if isinstance(each, Tensor):
                self._known.add(each.detach())
        return made


def play(
    known: Known,
    exercise: str,
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> Recording:
    """Record right code, and know what its lines and operators give."""
    trail = Trail(is_ours, _others(exercise))
    with trail:
        watch(known, function, args, kwargs)
    plain = {"statements": trail.statements, "events": trail.events, "problem": None}
    found = Recording.from_value(plain)
    for event in found.events:
        for value in event.writes.values():
            known.add(value)
    return found


def watch(
    known: Known, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Run right code, and know what its operators give; its result."""
    given = Arguments(tuple(args), kwargs, invoke_here)
    torch.default_generator.manual_seed(0)
    for each in (*args, *kwargs.values()):
        known.add_given(each)
    with _Outputs(known), torch.enable_grad():
        return function(*given.args, **given.kwargs)


def is_ours(file: str) -> str | None:
    """The file's name, where it holds right code."""
    return file if _OURS.search(file) else None


def harnessed(source: str, entry: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The harness around right code."""
    module = ModuleType("harnessed")
    module.__dict__.update(names)
    exec(compile(source, "<harness>", "exec", dont_inherit=True), module.__dict__)
    found: Callable[..., Any] = module.__dict__[entry]
    return found
