"""Asks for what a learner's code does, where it is executed; knows no exercise."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from torch import Tensor

from .asks import Ask, Outcome, fitting
from .failures import CandidateError, Problem
from .message import Place

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


class Asking:
    """Sends requests through one transport, and reads what is answered.

    `gate` hears what is sent and sees each problem first. `stay_in_time` raises once no time is
    left for it: whoever searches for long asks that now and then.
    """

    def __init__(
        self,
        transport: Transport,
        trace: bool,
        gate: Gatekeeper | None,
        stay_in_time: Callable[[], None],
    ) -> None:
        # Of all calls, where they are traced; with the classes that modules are made of.
        self.operators: dict[str, None] = {}
        self.trace = trace
        self.gate = gate
        self.first_problems: dict[Place, Problem] = {}  # by the line that raised it
        self.stay_in_time = stay_in_time
        self.latest_calls: deque[Ask] = deque(maxlen=_MOST_CALLS)
        self._transport = transport

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
