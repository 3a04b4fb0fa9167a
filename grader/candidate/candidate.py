"""A learner's exercise as the checks hold it, executed elsewhere; knows no expected value."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, Protocol, TypeVar

from torch import Tensor

from .asks import Ask, Outcome, fitting
from .candidate_module import CandidateModule
from .failures import CandidateError, Problem
from .message import Place

T = TypeVar("T")

# Gives another candidate, of the same code in a process of its own.
Anew = Callable[[], AbstractContextManager["Candidate"]]
_MOST_CALLS = 30  # that are kept


class Gatekeeper(Protocol):
    """Keeps what a mark tells within bounds."""

    def sent(self, *values: Any) -> None:
        """Hear what the worker was given."""

    def problem(self, problem: Problem) -> Problem:
        """The part of a problem that may be known."""


class Transport(Protocol):
    """Where requests go: a worker behind the wall, or this process."""

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Send one request and wait for its answer; raise WorkerDied where none comes."""


@dataclass
class Hidden:
    """What checks ask when all else was asked: of the same code, where nothing is told of it."""

    process: Callable[[], Candidate]
    _left: list[Callable[[], None]] = field(default_factory=list)

    def later(self, ask: Callable[[Callable[[], Candidate]], None]) -> None:
        """Have it asked then; it is given `process`, and raises as a check does."""
        self._left.append(partial(ask, self.process))

    def taken(self) -> list[Callable[[], None]]:
        """What is left to ask, which then is no more."""
        taken, self._left = self._left, []
        return taken


class Candidate:
    """One exercise of one submission, behind one transport.

    `gate` hears what is sent and sees each problem first. `stay_in_time` raises once no time is
    left for it: whoever searches for long asks that now and then. `harness` is source of the
    checks' own that stands beside the loaded code. `anew` gives another one, of the same code in a
    process of its own, where there is such a way.
    """

    def __init__(
        self,
        exercise: str,
        transport: Transport,
        trace: bool = False,
        gate: Gatekeeper | None = None,
        stay_in_time: Callable[[], None] = lambda: None,
        harness: str = "",
        anew: Anew | None = None,
    ) -> None:
        self.exercise = exercise
        # Of all calls, where they are traced; with the classes that modules are made of.
        self.operators: dict[str, None] = {}
        self.heard: tuple[str, ...] = ()  # that ran in its process for others before
        self.trace = trace
        self.harness = harness
        self.gate = gate
        self.first_problems: dict[Place, Problem] = {}  # by the line that raised it
        self.stay_in_time = stay_in_time
        self.anew = anew
        # None where answers are told: what is asked for a diagnosis or a repair hides nothing.
        self.hidden: Hidden | None = Hidden(lambda: self)
        self.latest_calls: deque[Ask] = deque(maxlen=_MOST_CALLS)
        self._found: dict[tuple[Any, ...], Any] = {}  # what `once` found out; belongs to one code
        self._transport = transport

    @contextmanager
    def attempted(self) -> Iterator[None]:
        """For as long as an attempt lasts, what is hidden is asked in a process of its own."""
        anew = self.anew
        if anew is None:
            yield
            return
        with ExitStack() as opened:
            self.hidden = Hidden(cache(lambda: opened.enter_context(anew())))
            try:
                yield
            finally:
                self.hidden = None

    @contextmanager
    def changed(self) -> Iterator[None]:
        """For as long as other code stands in its place, which no other process has."""
        found, anew = self._found, self.anew
        self.anew = None
        try:
            yield
        finally:
            self._found, self.anew = found, anew

    def left_to_ask(self) -> list[Callable[[], None]]:
        """What checks have put off by now, which then is put off no more."""
        return [] if self.hidden is None else self.hidden.taken()

    def once(self, what: str, make: Callable[[], T], *about: object) -> T:
        """What `make` gives; made once for `what` and these very objects, and kept from then on.

        What `make` raises is not kept.
        """
        key = (what, *map(id, about))
        if key not in self._found:
            self._found[key] = about, make()  # keeps the objects, so that their ids stay theirs
        found: T = self._found[key][1]
        return found

    def has_found(self, what: str, *about: object) -> bool:
        """Whether `once` was asked for this before."""
        return (what, *map(id, about)) in self._found

    def forget(self, but: str) -> None:
        """Forget what was found out, but for what is called so: other code takes its place."""
        self._found = {key: found for key, found in self._found.items() if key[0] == but}

    def request(self, op: str, **payload: Any) -> Any:
        """Send one request; raise CandidateError when the learner's code raised."""
        self._note_sent(payload)
        answer = self._transport.request(op, payload)
        if "error" in answer:
            raise self.error(Problem.from_value(answer["error"]))
        return answer["ok"]

    def _note_sent(self, payload: Mapping[str, Any]) -> None:
        if self.gate:
            self.gate.sent(*payload.get("args", ()), *payload.get("kwargs", {}).values())

    def edited(
        self, asks: Sequence[Ask], most: int, **hints: Any
    ) -> list[tuple[dict[str, Any], list[Any]]]:
        """Change the exercise where it is, in up to `most` ways one after the other.

        Returns where each change is, and its answers to `asks`: results, and a CandidateError where
        something raised. An empty list: no change is left. The last change stays until `choose`
        puts another in its place. `hints`: as `EditedExercise` has them.
        """
        for ask in asks:
            self._note_sent(ask.payload)
        sent = list(map(vars, asks))
        rows = self.request("alter", exercise=self.exercise, asks=sent, most=most, **hints)["edits"]
        return [(row["edit"], [self._answered(one) for one in row["answers"]]) for row in rows]

    def several(self, asks: Sequence[Ask]) -> list[Any]:
        """What each is answered, in their order; a CandidateError where something raised.

        They go together, which takes far less time than one after the other.
        """
        for ask in asks:
            self._note_sent(ask.payload)
        self.latest_calls.extend(ask for ask in asks if ask.op == "call")
        answers: list[Any] = []
        while len(answers) < len(asks):
            sent = list(map(vars, fitting(asks[len(answers) :])))
            answers += map(self._answered, self.request("several", asks=sent)["answers"])
        pairs = zip(asks, answers, strict=True)
        return [self._outcome(ask, each) if ask.op == "call" else each for ask, each in pairs]

    def all_of(self, asks: Sequence[Ask]) -> list[Any]:
        """The same; raises the first CandidateError among them."""
        for answer in (answers := self.several(asks)):
            if isinstance(answer, CandidateError):
                raise answer
        return answers

    def _answered(self, answer: Mapping[str, Any]) -> Any:
        if "error" in answer:
            return self.error(Problem.from_value(answer["error"]))
        return answer["ok"]

    def _outcome(self, ask: Ask, answer: Any) -> Outcome | CandidateError:
        """What a call came to, its operators gathered."""
        if isinstance(answer, CandidateError):
            if answer.problem.kind != "raised":
                return answer
            given = (*ask.payload["args"], *ask.payload["kwargs"].values())
            shapes = tuple(tuple(each.shape) for each in given if isinstance(each, Tensor))
            return CandidateError(replace(answer.problem, given=shapes))
        outcome = Outcome.from_value(answer)
        self.operators.update(dict.fromkeys(outcome.operators))
        return outcome

    def error(self, problem: Problem) -> CandidateError:
        """The problem as it may be told, to be raised; the first of each line is noted."""
        told = self.gate.problem(problem) if self.gate else problem
        if told.place is not None:
            self.first_problems.setdefault(told.place, told)
        return CandidateError(told)

    def calling(
        self,
        target: dict[str, Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        options: dict[str, Any],
    ) -> Ask:
        """How to call a {"name": …} of the loaded code, or what is kept under a {"handle": …}."""
        if self.trace:
            options = {**options, "trace": True}
        return Ask("call", {"target": target, "args": args, "kwargs": kwargs, "options": options})

    def called(self, ask: Ask) -> Outcome:
        """What one call gives, its operators gathered; raises CandidateError."""
        self.latest_calls.append(ask)
        answer: Any
        try:
            answer = self.request(ask.op, **ask.payload)
        except CandidateError as error:
            answer = error
        outcome = self._outcome(ask, answer)
        if isinstance(outcome, CandidateError):
            raise outcome from None
        return outcome

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What a call gives; raises CandidateError."""
        return self.run(*args, **kwargs).value

    def run(
        self,
        *args: Any,
        cotangent: Tensor | None = None,
        strided: bool = False,
        others_first: bool = False,
        **kwargs: Any,
    ) -> Outcome:
        """Call the exercise; with a cotangent, gradients come back as well.

        `strided`: the same numbers, which lie in memory as after transposing and slicing;
        `others_first`: after a call with the same tensors while they held other numbers.
        """
        options = {"cotangent": cotangent, "strided": strided, "others_first": others_first}
        return self.called(self.calling({"name": self.exercise}, args, kwargs, options))

    def through(self, name: str, *args: Any, strided: bool = False, tracked: bool = False) -> Any:
        """What a harness function of this name gives, which stands beside the loaded code.

        `tracked`: float tensors require a gradient, as a model's do.
        """
        options = {"strided": strided, "tracked": tracked}
        return self.called(self.calling({"name": name}, args, {}, options)).value

    def build(self, *args: Any, seed: int = 0, **kwargs: Any) -> CandidateModule:
        """Construct the exercise's class."""
        made = self.request("construct", name=self.exercise, args=args, kwargs=kwargs, seed=seed)
        if self.trace:
            self.operators.update(dict.fromkeys(map(str, made["kinds"])))
        return CandidateModule(self, made)
