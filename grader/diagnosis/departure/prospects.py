"""Whether it is worth the while to check changed code: a look at one answer of it."""

from __future__ import annotations

import torch
from torch import Tensor

from ...candidate.candidate import Candidate, CandidateError, CandidateModule
from ..interpretation.behaviour import observed
from ..interpretation.evidence import Evidence, near
from ..interpretation.module_subjects import module_subject
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

    def are_there(self) -> bool:
        """Whether what is in the candidate's place now may be right."""
        try:
            made = self._candidate.build(*self._subject.arguments)
        except CandidateError:
            return False
        evidence = self._evidence
        if evidence is None or self._probe is None:
            return True
        shapes = {one.name: tuple(one.shape) for one in made.parameters}
        is_same = shapes == {name: tuple(v.shape) for name, v in evidence.values.items()}
        if evidence.is_short and _learning(made) == _learning(evidence.module):
            return False  # as little of it can learn as before
        try:
            if is_same:
                made.write(evidence.values)
            answer = made.run(*self._probe.args, **self._probe.kwargs)
        except CandidateError:
            return False
        if not isinstance(answer.value, Tensor):
            return False
        if not is_same or not self._right:
            return True
        tolerance = self._subject.tolerance
        return any(near(answer.value, right, tolerance) for right in self._right)


def _learning(module: CandidateModule) -> list[object]:
    """The parameters that can learn, by names and sizes, and what is not registered."""
    registered = [(each.name, each.shape) for each in module.parameters if each.requires_grad]
    return [*registered, *module.loose]
