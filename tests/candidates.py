"""Candidates of this very process, for tests of checks and diagnosis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from grader.candidate.candidate import Candidate
from grader.candidate.records import Mark
from grader.curriculum.references import reference_submission
from grader.curriculum.syllabus import Exercise
from grader.diagnosis.misconceptions.function_subject import FunctionSubject
from grader.diagnosis.misconceptions.registry import entry_point
from grader.marking.check_session import CheckRun, CheckSession
from grader.marking.verdicts import judge
from grader.notebook.in_process import attempted
from grader.worker.answering import Service


@dataclass
class Here:
    """A transport to a service in this process."""

    service: Service = field(default_factory=Service)

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        return self.service.handle(op, payload)


@cache
def checks() -> CheckSession:
    """The hidden checks, collected once."""
    return CheckSession()


def loaded(exercise: str, code: str) -> Candidate:
    """The candidate that this source defines."""
    candidate = Candidate(exercise, Here(), harness=checks().harness(exercise))
    units = [{"code": code, "label": "cell 1", "line": 1}]
    candidate.request("load", exercise=exercise, units=units, harness=candidate.harness)
    return candidate


def bound(exercise: str, function: Callable[..., Any]) -> Candidate:
    """A function as the candidate; where probes call a harness, in the place of that."""
    here = Here()
    entry = entry_point(exercise)
    harness = checks().harness(exercise)
    here.service.bind({entry or exercise: function}, "" if entry else harness)
    return Candidate(exercise, here, harness=harness)


def variant(subject: FunctionSubject, *switches: str) -> Candidate:
    """The reference with switches, as a candidate."""
    return bound(subject.exercise, partial(subject.run, on=frozenset(switches)))


def solution(exercise: str) -> Candidate:
    """The reference as learners would hand it in, with all that it needs."""
    names = [exercise, "BertEncoder"] if exercise == "load_bert_weights" else [exercise]
    cuts = [reference_submission().slice(name) for name in names]
    return loaded(exercise, "\n\n".join(unit.code for cut in cuts if cut for unit in cut.units))


def failed(exercise: str, candidate: Candidate, seed: int = 0) -> list[CheckRun]:
    """The checks that a candidate does not pass."""
    runs = checks().run(exercise, candidate, seed)
    return [run for run in runs if run.result.outcome != "passed"]


def mark_candidate(
    exercise: Exercise, candidate: Candidate, seed: int = 0, explain: bool = True
) -> Mark:
    """The mark of what a candidate does; explained if wanted and if it is wrong."""
    own = attempted(candidate, seed, explain, mends=False)
    return own.explained(judge(exercise, own.tried, ()))
