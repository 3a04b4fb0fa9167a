"""A learner's exercise as the checks hold it, executed elsewhere; knows no expected value."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from torch import Tensor

from .message import Message, Place, joined, known, say
from .records import CheckResult

# Where something lay in memory: no use to anybody, and another number in every run.
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True)
class Frame:
    """One line of the learner's own code in a traceback."""

    label: str
    line: int
    function: str
    source: str


_GROWS = say(
    "it asked for more memory than it may have. Does a loop collect something and never end, or is "
    "something made far larger than it has to be?"
)


@dataclass(frozen=True)
class Problem:
    """Why a call gave no value: what learner code raised, and where."""

    kind: str  # raised | not_implemented | exited | memory | import
    type: str
    message: str
    where: str
    frames: tuple[Frame, ...] = ()
    # What may be told instead of `message`, where code was there that is not the learner's to
    # read, or where the examiner raised it; then `type` may be told too.
    words: Message | None = None
    given: tuple[tuple[int, ...], ...] = ()  # the shapes of the tensors that the call was given

    @classmethod
    def from_value(cls, data: Mapping[str, Any]) -> Problem:
        """The problem that a worker reported; every field is taken as hostile text.

        Addresses are left out of its words, so that two runs say the same.
        """
        frames = tuple(
            Frame(str(f["label"]), int(f["line"]), str(f["function"]), str(f["source"]))
            for f in data.get("frames", ())
        )
        return cls(
            str(data["kind"]),
            str(data["type"]),
            _ADDRESS.sub("0x…", str(data["message"])),
            str(data["where"]),
            frames,
        )

    @property
    def place(self) -> Place | None:
        """The learner's line that raised it, where there is one."""
        return Place(self.frames[-1].label, self.frames[-1].line) if self.frames else None

    def summary(self) -> Message:
        """What a learner reads of it. Two errors of one type from the same line say the same."""
        # Redacted words come with a type that may be shown.
        name = self.type if self.words is None else known(self.type)
        words = self.message if self.words is None else self.words
        place = say(" ({})", self.place) if self.place else known("")
        last = (self.frames[-1].function, self.frames[-1].line) if self.frames else ""
        kind = f"raised {self.type} {last}"  # in a file of whatever name
        if self.kind == "memory" and not self.message:
            return say("{}{}: {}", name, place, _GROWS, kind=kind)
        if self.given:
            shapes = joined(" and ", (known(str(list(shape))) for shape in self.given))
            place = say("{}, when given {}", place, shapes)
        if not words:
            return say("{}{}", name, place, kind=kind)
        return say("{}: {}{}", name, words, place, kind=kind)

    def __str__(self) -> str:
        return str(self.summary())


class Redactor(Protocol):
    """Leaves out of what came back what code may have read in a lent reference."""

    def sent(self, *values: Any) -> None:
        """Hear what the worker was given."""

    def problem(self, problem: Problem) -> Problem:
        """The part of a problem that may be told."""

    def result(self, result: CheckResult) -> CheckResult:
        """The part of a check's result that may be told."""

    def knows(self, name: str) -> bool:
        """Whether the learner wrote this name."""

    def line(self, place: Place) -> str | None:
        """The line as the learner wrote it; None where it is not theirs."""

    def message(self, message: str) -> Message:
        """The part of a message that may be told."""


class CandidateError(Exception):
    """The candidate raised instead of answering."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Transport(Protocol):
    """Where requests go: a worker behind the wall, or this process."""

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Outcome:
    """What one call gave back.

    `grads` are aligned with the float tensors among the arguments (None where nothing flows, or
    where no cotangent was given); `mutated` are positions, among all tensors of the arguments, of
    those changed in place.
    """

    value: Any
    grads: tuple[Tensor | None, ...] = ()
    parameter_grads: Mapping[str, Tensor | None] | None = None
    mutated: tuple[int, ...] = ()
    operators: tuple[str, ...] = ()
    requires_grad: bool = False


@dataclass(frozen=True)
class ParameterInfo:
    """One registered parameter; `owners` run from the outermost module inwards."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    owners: tuple[tuple[str, str], ...]  # (path, class)
    alias_of: str | None = None


@dataclass(frozen=True)
class ModuleInfo:
    """One sub-module; `same_as` names an earlier path that holds the very same object."""

    path: str
    same_as: str | None = None


@dataclass(frozen=True)
class LooseInfo:
    """A parameter, module or tensor that a module holds without registering it."""

    path: str
    shape: tuple[int, ...]
    kind: str


class Candidate:
    """One exercise of one submission, behind one transport.

    `redaction` leaves out what may not be told, where something is lent to the code. `stay_in_time`
    raises once no time is left for it: whoever searches for long asks that now and then.
    """

    def __init__(
        self,
        exercise: str,
        transport: Transport,
        trace: bool = False,
        redaction: Redactor | None = None,
        stay_in_time: Callable[[], None] = lambda: None,
    ) -> None:
        self.exercise = exercise
        # Of all calls, where they are traced; with the classes that modules are made of.
        self.operators: dict[str, None] = {}
        self.trace = trace
        self.harness = ""  # source of the checks' own that is loaded beside the code
        self.redaction = redaction
        self.memory: dict[str, Any] = {}  # what one check has observed and the next may use
        self._transport = transport
        self.stay_in_time = stay_in_time

    def request(self, op: str, **payload: Any) -> Any:
        """Send one request; raise CandidateError when the learner's code raised."""
        if self.redaction:
            self.redaction.sent(*payload.get("args", ()), *payload.get("kwargs", {}).values())
        answer = self._transport.request(op, payload)
        if "error" in answer:
            raise self.error(Problem.from_value(answer["error"]))
        return answer["ok"]

    def error(self, problem: Problem) -> CandidateError:
        """The problem as it may be told, to be raised."""
        return CandidateError(self.redaction.problem(problem) if self.redaction else problem)

    def call(self, payload: dict[str, Any]) -> Outcome:
        """Send one call; the operators that run are gathered where the candidate is traced."""
        if self.trace:
            payload["options"]["trace"] = True
        try:
            outcome = _outcome(self.request("call", **payload))
        except CandidateError as error:
            if error.problem.kind != "raised":
                raise
            given = (*payload["args"], *payload["kwargs"].values())
            shapes = tuple(tuple(each.shape) for each in given if isinstance(each, Tensor))
            raise CandidateError(replace(error.problem, given=shapes)) from None
        self.operators.update(dict.fromkeys(outcome.operators))
        return outcome

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs).value

    def run(
        self,
        *args: Any,
        cotangent: Tensor | None = None,
        seed: int | None = None,
        trace: bool = False,
        meta: bool = False,
        **kwargs: Any,
    ) -> Outcome:
        """Call the exercise; with a cotangent, gradients come back as well."""
        options = {"cotangent": cotangent, "seed": seed, "trace": trace, "meta": meta}
        return self.call_name(self.exercise, args, kwargs, options)

    def call_name(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], options: dict[str, Any]
    ) -> Outcome:
        """Call any top-level name of the loaded code (a harness function, say)."""
        target = {"name": name}
        return self.call({"target": target, "args": args, "kwargs": kwargs, "options": options})

    def build(self, *args: Any, seed: int = 0, **kwargs: Any) -> CandidateModule:
        """Construct the exercise's class."""
        made = self.request("construct", name=self.exercise, args=args, kwargs=kwargs, seed=seed)
        if self.trace:
            self.operators.update(dict.fromkeys(map(str, made["kinds"])))
        return CandidateModule(self, made)


class CandidateModule:
    """A module of the learner's, constructed and kept on the other side."""

    def __init__(self, candidate: Candidate, made: Mapping[str, Any]) -> None:
        self._candidate = candidate
        self.stay_in_time = candidate.stay_in_time
        self.handle = made["handle"]
        self.is_module = bool(made["is_module"])
        self.parameters = tuple(_parameter(row) for row in made["parameters"])
        self.modules = tuple(
            ModuleInfo(str(row["path"]), row["same_as"]) for row in made["modules"]
        )
        self.loose = tuple(
            LooseInfo(str(row["path"]), tuple(row["shape"]), str(row["kind"]))
            for row in made["loose"]
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(*args, **kwargs).value

    def run(
        self,
        *args: Any,
        train: bool = False,
        cotangent: Tensor | None = None,
        seed: int | None = None,
        trace: bool = False,
        meta: bool = False,
        repeat: int = 0,
        **kwargs: Any,
    ) -> Outcome:
        """Call the module, by default in eval mode; `repeat` gives a list of that many answers."""
        options: dict[str, Any] = {
            "cotangent": cotangent,
            "seed": seed,
            "train": train,
            "trace": trace,
            "meta": meta,
        }
        if repeat:
            options["repeat"] = repeat
        target = {"handle": self.handle}
        payload = {"target": target, "args": args, "kwargs": kwargs, "options": options}
        return self._candidate.call(payload)

    def read(self) -> dict[str, Tensor]:
        """The parameters' values by name."""
        values: dict[str, Tensor] = self._candidate.request("read", handle=self.handle)["values"]
        return values

    def write(self, values: Mapping[str, Tensor]) -> None:
        """Copy `values` into the parameters of these names."""
        self._candidate.request("write", handle=self.handle, values=dict(values))


def _outcome(result: Mapping[str, Any]) -> Outcome:
    return Outcome(
        value=result["value"],
        grads=tuple(result["grads"] or ()),
        parameter_grads=result["parameter_grads"],
        mutated=tuple(result["mutated"]),
        operators=tuple(result["operators"]),
        requires_grad=bool(result["requires_grad"]),
    )


def _parameter(row: Mapping[str, Any]) -> ParameterInfo:
    owners = tuple((str(path), str(name)) for path, name in row["owners"])
    alias = row["alias_of"]
    return ParameterInfo(
        str(row["name"]),
        tuple(int(size) for size in row["shape"]),
        str(row["dtype"]),
        bool(row["requires_grad"]),
        owners,
        None if alias is None else str(alias),
    )
