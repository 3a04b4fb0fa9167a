"""Names the mistake of a module that fails: the switch under which the reference gives its answers."""

from __future__ import annotations

import itertools
import re

from torch import Generator, Tensor

from ..candidate import Candidate, CandidateError, Outcome, Problem
from ..misconceptions.modules_code import GRADIENT, MUTATES, RETURNS_MORE, UNSTEADY
from ..misconceptions.subject import Misconception
from ..records import Diagnosis
from .search import Evidence, interpret, observe
from .subject import ModuleSubject

_FEW, _SOME = 4, 40  # readings tried for each switch: first the likely ones, for all switches
_LIKELY = 16  # misconceptions that are also tried in pairs


def diagnose_module(
    subject: ModuleSubject, candidate: Candidate, generator: Generator
) -> tuple[Diagnosis, ...]:
    """The misconceptions that the candidate behaves like, on every input and in its gradients."""
    try:
        evidence = observe(subject, candidate, generator)
    except CandidateError as error:
        return by_error(subject, error.problem)
    return diagnose_evidence(subject, evidence)


def diagnose_evidence(subject: ModuleSubject, evidence: Evidence) -> tuple[Diagnosis, ...]:
    """The same, for what has been observed already."""
    if evidence.problem is not None:
        return by_error(subject, evidence.problem)
    outcomes = [outcome for outcome in evidence.outcomes if isinstance(outcome, Outcome)]
    if any(isinstance(outcome.value, list | tuple | dict) for outcome in outcomes):
        return (said(RETURNS_MORE),)
    if any(not isinstance(outcome.value, Tensor) for outcome in outcomes):
        return ()
    if not all(answer.steady for answer in evidence.answers):
        return (said(UNSTEADY),)
    mutates = (said(MUTATES),) if any(outcome.mutated for outcome in outcomes) else ()
    right = interpret(subject, evidence)
    if right is not None:
        if mutates:
            return mutates
        return () if right.gradients_agree else (said(GRADIENT),)
    return (*_by_values(subject, evidence), *mutates)


def by_error(subject: ModuleSubject, problem: Problem) -> tuple[Diagnosis, ...]:
    """The misconception that an exception speaks of."""
    told = f"{problem.type}: {problem.message}"
    for turn in subject.misconceptions:
        if turn.error is not None and re.search(turn.error, told):
            return (said(turn),)
    return ()


def _by_values(subject: ModuleSubject, evidence: Evidence) -> tuple[Diagnosis, ...]:
    turns = [turn for turn in subject.misconceptions if turn.error is None]
    for turn in turns:
        if _fits(subject, evidence, frozenset({turn.id}), _FEW):
            return (said(turn),)
    for one, other in itertools.combinations(turns[:_LIKELY], 2):
        if _fits(subject, evidence, frozenset({one.id, other.id}), 1):
            return (said(one), said(other))
    for turn in turns:
        if _fits(subject, evidence, frozenset({turn.id}), _SOME):
            return (said(turn),)
    return ()


def _fits(subject: ModuleSubject, evidence: Evidence, on: frozenset[str], most: int) -> bool:
    found = interpret(subject, evidence, on, most)
    return found is not None and found.gradients_agree


def said(turn: Misconception) -> Diagnosis:
    """A misconception, as the learner is told of it."""
    return Diagnosis(turn.id, turn.explanation, turn.question)
