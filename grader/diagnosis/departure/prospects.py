"""Whether it is worth the while to check changed code: a look at one answer of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Ask, Candidate, CandidateError, CandidateModule, Outcome
from ...worker.kept_objects import LAST
from ..interpretation.behaviour import observed
from ..interpretation.evidence import Evidence, near
from ..interpretation.module_subjects import module_subject
from ..misconceptions.function_subject import FunctionSubject, Probe
from ..misconceptions.switches import NONE
from ..probed import Seen, asked, asking, played, seen_in
from ..sameness import same_value, size_of
from .modules import formulas


class ModuleProspects:
    """What a right module would answer with the learner's own numbers, where that can be told."""

    def __init__(self, candidate: Candidate, seed: int) -> None:
        subject = module_subject(candidate.exercise)
        assert subject is not None
        self._subject = subject
        self._candidate = candidate
        self._evidence: Evidence | None = None
        self._right: list[Tensor] = []  # in each reading of the numbers
        try:
            self._evidence = observed(subject, candidate, seed)
        except CandidateError:
            return
        self._probe = next((p for p in self._evidence.probes), None)
        if self._probe is None:
            return
        for function in formulas(subject, self._evidence):
            try:
                with torch.no_grad():
                    value = function(*self._probe.args, **self._probe.kwargs)
            except Exception:  # this reading does not go through the mathematics
                continue
            self._right.append(value)

    @property
    def asks(self) -> list[Ask]:
        """What shows it: make one, give it the learner's numbers if they fit, and call it."""
        made = {"name": self._candidate.exercise, "args": self._subject.arguments, "seed": 0}
        asks = [Ask("construct", made)]
        if self._evidence is not None and self._probe is not None:
            values = {"handle": LAST, "values": self._evidence.values, "is_all": True}
            given = {"args": self._probe.args, "kwargs": self._probe.kwargs}
            called = {"target": {"handle": LAST}, **given, "options": {"train": False}}
            asks += [Ask("write", values), Ask("call", called)]
        return asks

    @property
    def tells(self) -> bool:
        """Whether a right answer is known, which most changes do not give."""
        return bool(self._right)

    def is_rare(self) -> bool:
        """Whether what is in the candidate's place now is right there: only checks show more."""
        return self.are_there([self._answered(ask) for ask in self.asks])

    def _answered(self, ask: Ask) -> Any:
        try:
            return self._candidate.request(ask.op, **ask.payload)
        except CandidateError as error:
            return error

    def are_there(self, answers: Sequence[Any]) -> bool:
        """Whether code that answered so may be right."""
        if isinstance(answers[0], CandidateError):
            return False
        evidence = self._evidence
        if evidence is None or self._probe is None:
            return True
        made = CandidateModule(self._candidate, answers[0])
        shapes = {one.name: tuple(one.shape) for one in made.parameters}
        is_same = shapes == {name: tuple(v.shape) for name, v in evidence.values.items()}
        if evidence.is_short and _learning(made) == _learning(evidence.module):
            return False  # as little of it can learn as before
        _, written, answer = answers
        if isinstance(answer, CandidateError) or (is_same and isinstance(written, CandidateError)):
            return False
        value = Outcome.from_value(answer).value
        if not isinstance(value, Tensor):
            return False
        if not is_same or not self._right:
            return True
        tolerance = self._subject.tolerance
        return any(near(value, right, tolerance) for right in self._right)


def _learning(module: CandidateModule) -> list[object]:
    """The parameters that can learn, by names and sizes, and what is not registered."""
    registered = [(each.name, each.shape) for each in module.parameters if each.requires_grad]
    return [*registered, *module.loose]


class FunctionProspects:
    """The first input on which a candidate's value is wrong, and what is right there."""

    def __init__(
        self, subject: FunctionSubject, candidate: Candidate, generator: Generator
    ) -> None:
        self._subject = subject
        self._candidate = candidate
        self.probe: Probe | None = None
        self._right = Seen()
        for probe in subject.probes(generator):
            self._right = played(subject, probe, None, NONE)
            if not self._is_right_on(probe):
                self.probe = probe
                break

    @property
    def asks(self) -> list[Ask]:
        """How to ask for the value there."""
        return [] if self.probe is None else [asking(self._subject, self.probe, None)]

    def is_right(self, answers: Sequence[Any]) -> bool:
        """Whether what was answered to that is right there."""
        if self.probe is None:
            return True
        (answer,) = answers
        found = answer if isinstance(answer, CandidateError) else Outcome.from_value(answer)
        return self._agrees(self.probe, seen_in(self._subject, self.probe, found))

    def _is_right_on(self, probe: Probe) -> bool:
        return self._agrees(probe, asked(self._subject, self._candidate, probe, None))

    def _agrees(self, probe: Probe, seen: Seen) -> bool:
        if seen.error or self._right.error:
            return bool(seen.error) == bool(self._right.error)
        tolerance, scale = self._subject.tolerance, size_of(probe)
        is_same = same_value(seen.value, self._right.value, tolerance, scale)
        return is_same and set(seen.changed) == set(self._right.changed)
