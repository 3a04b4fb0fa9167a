"""Turns changed code down by an answer or two, before all checks are run on it; tells nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Ask, Candidate, Outcome
from ...candidate.candidate_module import CandidateModule
from ...candidate.failures import CandidateError, Problem
from ...candidate.seeds import generator_for
from ...worker.values import LAST
from ..function_answers import agree, answers_of
from ..interpretation.behaviour import observed
from ..interpretation.evidence import Evidence
from ..interpretation.search import readings_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.registry import function_subject, module_subject
from ..misconceptions.wrong_turns import NONE
from ..probed import Seen, asked, asking, played, seen_in
from ..right_modules import rare_sentences, right_shapes
from ..sameness import near, rounding_scale

_READINGS = 4  # of the places of a learner's numbers
_KEPT_RIGHT = 3  # probes


@dataclass(frozen=True)
class _Call:
    """A call of a module, what it answered, and what is right there in each reading."""

    probe: Probe
    value: Any  # None where there is no answer
    right: list[Tensor]


class ModuleFilter:
    """What a right module would answer with the learner's own numbers, where that can be told."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        subject = module_subject(candidate.exercise)
        assert subject is not None
        self._subject = subject
        self._candidate = candidate
        self._evidence: Evidence | None = None
        self._calls: list[_Call] = []
        try:
            self._evidence = observed(subject, candidate, seed)
        except CandidateError:
            return
        probe, answer = self._evidence.pairs[0]
        value = _value(answer.outcome)
        (self._shape,) = right_shapes(subject, [probe])
        if isinstance(value, Tensor) and tuple(value.shape) != self._shape:
            self._calls = [_Call(probe, value, [])]  # it may be misread; the shape tells
            return
        found = islice(readings_of(self._evidence, NONE), _READINGS)
        readings = [partial(subject.run, reading.roles) for reading in found]
        others = (
            _Call(probe, _value(answer.outcome), list(_answers(readings, probe)))
            for probe, answer in self._evidence.pairs
        )
        first = next(others)
        self._calls = [first]
        if not first.right:  # another call shows what a change does
            self._calls += list(others)[-1:]
        elif self._is_right(first, first.value):
            more = self._unseen(readings, generator_for(seed, subject.exercise, "rare"))
            wrong = (each for each in chain(others, more) if not self._is_right(each, each.value))
            self._calls += islice(wrong, 1)

    def _unseen(self, readings: list[Any], generator: Generator) -> Iterator[_Call]:
        """What it answers to sentences of one token, and of as many as there may be."""
        assert self._evidence is not None
        for args in rare_sentences(self._subject, generator).values():
            try:
                value = self._evidence.module.run(*args).value
            except CandidateError:
                value = None
            probe = Probe(tuple(args))
            yield _Call(probe, value, list(_answers(readings, probe)))

    def _is_right(self, one: _Call, value: Any) -> bool:
        """Whether this answer is right there in a reading; true where no right one is known."""
        focused, tolerance = self._subject.focused, self._subject.tolerance
        return not one.right or any(
            isinstance(value, Tensor)
            and value.shape == right.shape
            and near(focused(value, one.probe), focused(right, one.probe), tolerance)
            for right in one.right
        )

    @property
    def asks(self) -> list[Ask]:
        """What shows it: make one, give it the learner's numbers if they fit, and call it."""
        made = {"name": self._candidate.exercise, "args": self._subject.arguments, "seed": 0}
        asks = [Ask("construct", made)]
        if self._evidence is not None:
            values = {"handle": LAST, "values": self._evidence.values, "is_all": True}
            asks.append(Ask("write", values))
        for one in self._calls:
            given = {"args": one.probe.args, "kwargs": one.probe.kwargs}
            called = {"target": {"handle": LAST}, **given, "options": {"train": False}}
            asks.append(Ask("call", called))
        return asks

    @property
    def tells(self) -> bool:
        """Whether a right answer is known, which most changes do not give."""
        return bool(self._calls and self._calls[0].right)

    def is_unseen(self) -> bool:
        """Whether what is in the candidate's place now is right there: only checks show more."""
        return self.may_pass([self._answered(ask) for ask in self.asks])

    def _answered(self, ask: Ask) -> Any:
        try:
            return self._candidate.request(ask.op, **ask.payload)
        except CandidateError as error:
            return error

    def may_pass(self, answers: Sequence[Any]) -> bool:
        """Whether code that answered so may be right."""
        if isinstance(answers[0], CandidateError):
            return False
        evidence = self._evidence
        if evidence is None:
            return True
        made = CandidateModule(self._candidate, answers[0])
        shapes = {one.name: tuple(one.shape) for one in made.parameters}
        is_same = shapes == {name: tuple(v.shape) for name, v in evidence.values.items()}
        _, written, *given = answers
        if isinstance(given[0], CandidateError):
            return False
        if is_same and isinstance(written, CandidateError):
            return False
        values = [
            None if isinstance(each, CandidateError) else Outcome.from_value(each).value
            for each in given
        ]
        if not isinstance(values[0], Tensor) or tuple(values[0].shape) != self._shape:
            return False
        return not is_same or all(map(self._is_right, self._calls, values))

    def may_pass_now(self) -> bool:
        """Whether what is in the candidate's place now may be right: the answers tell all."""
        return True


def _answers(readings: Iterable[Any], probe: Probe) -> Iterator[Tensor]:
    """What right code answers in each reading of a learner's numbers."""
    for function in readings:
        try:
            with torch.no_grad():
                value = function(*probe.args, **probe.kwargs)
        except Exception:  # this reading does not go through the mathematics
            continue
        yield value


def _value(outcome: Outcome | Problem) -> Any:
    """What came back; None where nothing did."""
    return outcome.value if isinstance(outcome, Outcome) else None


class FunctionFilter:
    """An input on which a candidate's value is wrong, and what is right there.

    Where no probe shows it, the calls of the check that it fails may; where these do not either, a
    change has to leave right what is. Else of one that is called through a harness, more inputs:
    there one may come right by chance.
    """

    def __init__(self, candidate: Candidate, seed: int, passes: Callable[[], bool]) -> None:
        subject = function_subject(candidate.exercise)
        assert subject is not None
        self._subject = subject
        self._candidate = candidate
        answers = answers_of(subject, candidate, seed)
        known, numbers = answers.questions, range(len(answers.questions.probes))
        differs = filter(answers.is_wrong, numbers)
        wrong = list(islice(differs, len(numbers) if subject.entry else 1))

        def inputs(numbers: Iterable[int]) -> list[_Input]:
            return [(known.probes[each], known.right(each)) for each in numbers]

        self._inputs = inputs(wrong)
        if not wrong:
            candidate.latest_calls.clear()
            self._inputs = [] if passes() else list(islice(self._of_checks(), 1))
        self._shows_it = bool(self._inputs)
        if not self._inputs:
            self._inputs = inputs(numbers[:_KEPT_RIGHT])
        elif wrong and subject.entry:
            both = self._inputs, inputs(each for each in numbers if each not in wrong)
            self._inputs = [one for some in both for one in _different(some)]

    def _of_checks(self) -> Iterator[_Input]:
        """What it was called with of late, where right code gives something else."""
        name = self._subject.entry or self._subject.exercise
        for ask in list(self._candidate.latest_calls):
            if ask.payload["target"] == {"name": name}:
                probe = Probe(tuple(ask.payload["args"]), dict(ask.payload["kwargs"]))
                right = played(self._subject, probe, None, NONE)
                if not self._is_right((probe, right), self._seen(probe)):
                    yield probe, right

    @property
    def probe(self) -> Probe | None:
        """That input, if there is one."""
        return self._inputs[0][0] if self._shows_it else None

    @property
    def asks(self) -> list[Ask]:
        """How to ask for the value there."""
        return [asking(self._subject, probe, None) for probe, _ in self._inputs[:1]]

    def is_unseen(self) -> bool:
        """Whether there is none: nothing but a check shows that the code is wrong."""
        return not self._shows_it

    def may_pass(self, answers: Sequence[Any]) -> bool:
        """Whether what was answered to that is right there."""
        return all(
            self._is_right(one, seen_in(self._subject, one[0], _read(answer)))
            for one, answer in zip(self._inputs[:1], answers, strict=True)
        )

    def may_pass_now(self) -> bool:
        """Whether what is in the candidate's place now is right on the other inputs."""
        return all(self._is_right(one, self._seen(one[0])) for one in self._inputs[1:])

    def _seen(self, probe: Probe) -> Seen:
        return asked(self._subject, self._candidate, probe, None)

    def _is_right(self, one: _Input, found: Seen) -> bool:
        probe, right = one
        return agree(found, right, self._subject.tolerance, rounding_scale(probe))


_Input = tuple[Probe, Seen]  # and what is right there


def _read(answer: Any) -> Outcome | CandidateError:
    return answer if isinstance(answer, CandidateError) else Outcome.from_value(answer)


def _different(inputs: Sequence[_Input]) -> list[_Input]:
    """The first of these, and the first to which another verdict is right."""
    more = (
        one
        for one in inputs
        if type(one[1].value) is not bool or one[1].value is not inputs[0][1].value
    )
    return [*inputs[:1], *(one for one in islice(more, 2) if one is not inputs[0])][:2]
