"""Where a wrong module departs from the formula, with its own numbers in the formula's places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from ...candidate.candidate import Candidate
from ...candidate.failures import CandidateError, Problem
from ...candidate.message import Place
from ..interpretation.behaviour import observed
from ..interpretation.evidence import Evidence
from ..interpretation.module_subject import ModuleSubject
from ..interpretation.module_subjects import module_subject
from ..interpretation.search import readings_of
from ..misconceptions.function_subject import Probe
from ..misconceptions.switches import STEP_BY_STEP
from ..right_modules import made_like, right_shapes
from .chance import by_chance
from .departed import Departed, returns
from .exceptions import Raised, raised, sizes_in, sizes_of
from .functions import Case, Tried, compared
from .kinds import handed_back, wrong_kind
from .known import Known
from .recording import Recording, play, record, watch

_READINGS = 4  # tried, of which the one counts that has most of the learner's values
_PROBES = 4


def module_departures(candidate: Candidate, seed: int) -> Sequence[Departed | None]:
    """Where it departs on each input on which it does."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return []
    mine = [_called(candidate, evidence, probe) for probe in evidence.probes[:_PROBES]]
    others = [wrong_kind(each, [torch.empty(0)], None) for each in mine if each is not None]
    if any(others):
        return others
    others = [None if each is None else handed_back(each) for each in mine]
    if any(others):
        return others
    target = {"handle": evidence.module.handle}
    if mine and (one := by_chance(candidate, target, evidence.probes[0], mine[0])):
        return [one]
    if evidence.problem is not None:
        return []  # too few answers to be sure of which number is which
    if evidence.written is not None:
        return []  # its lines work with other numbers than those that its parameters come to
    pairs = [(p, m) for p, m in zip(evidence.probes, mine, strict=False) if m is not None]
    if not pairs:
        return []
    best = _best(subject, evidence, *pairs[0])
    if best is None:
        return []
    function, case = best
    tried = [Tried.of(case, pairs[0][1])]
    for probe, recording in pairs[1:]:
        other = _case(subject.exercise, function, probe)
        tried += [] if other is None else [Tried.of(other, recording)]
    return compared(tried)


def _best(
    subject: ModuleSubject, evidence: Evidence, probe: Probe, mine: Recording
) -> tuple[Any, Case] | None:
    """The reading of its numbers under which the formula has most of the learner's values."""
    best, most = None, -1
    for function in formulas(subject, evidence):
        evidence.module.stay_in_time()
        case = _case(subject.exercise, function, probe)
        if case is not None and (count := _known(case, mine)) > most:
            best, most = (function, case), count
    return best


def module_exception(candidate: Candidate, seed: int) -> tuple[Raised, dict[str, int]] | None:
    """The line that raises, as it is made or called, and the sizes there."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    sizes = sizes_in(subject.arguments)
    made = as_made(candidate)
    if made is not None and (found := raised(made)) is not None:
        return found, sizes
    called = _raising(subject, candidate, seed)
    if called is None:
        return None
    found, probe = called
    forward = getattr(type(made_like(subject)), "forward", None)
    return found, {**sizes, **sizes_of(forward, (None, *probe.args), probe.kwargs)}


def _raising(
    subject: ModuleSubject, candidate: Candidate, seed: int
) -> tuple[Raised, Probe] | None:
    """The first input on which it raises, and what stood there."""
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return None
    for probe in evidence.probes:
        mine = _called(candidate, evidence, probe)
        if mine is not None and (found := raised(mine)) is not None:
            return _with_parameters(found, candidate, evidence), probe
    return None


def _with_parameters(one: Raised, candidate: Candidate, evidence: Evidence) -> Raised:
    """The same, with the module's own parameters that stood there."""
    made = as_made(candidate)
    if made is None or one.statement.function.partition(".")[0] != candidate.exercise:
        return one
    own = {f"self.{name}": value for name, value in evidence.values.items()}
    own = {name: value for name, value in own.items() if name in one.statement.reads}
    makers = {name: each for each in made.statements for name in each.sets if name in own}
    return replace(one, held={**own, **one.held}, shaped={**makers, **one.shaped})


def module_recordings(candidate: Candidate, seed: int) -> list[Recording]:
    """What its lines do as it is made, and as it is called on one input."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    found = [as_made(candidate)]
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return [each for each in found if each is not None]
    fails = next((p for p, a in evidence.asked if isinstance(a.outcome, Problem)), None)
    for probe in (*evidence.probes[:2], *([] if fails is None else [fails])):
        found.append(_called(candidate, evidence, probe))
    return [each for each in found if each is not None]


def misshapen(candidate: Candidate, seed: int) -> list[Place]:
    """The lines from which answers come back, where the first has another shape than right ones."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    try:
        evidence = observed(subject, candidate, seed)
    except CandidateError:
        return []
    value = evidence.answers[0].value
    if value is None or [tuple(value.shape)] == right_shapes(subject, evidence.probes[:1]):
        return []
    recordings = [_called(candidate, evidence, probe) for probe in evidence.probes[:2]]
    ends = [
        recording.statements[event.statement].place
        for recording in recordings
        if recording is not None
        for event in recording.events
        if event.kind == "return" and not event.caller
    ]
    return list(dict.fromkeys(ends))


def as_made(candidate: Candidate) -> Recording | None:
    """What its lines do as it is made; recorded once."""
    subject = module_subject(candidate.exercise)
    assert subject is not None
    target, arguments = {"name": candidate.exercise}, subject.arguments
    return candidate.once("recorded as made", lambda: record(candidate, target, arguments, {}))


def _called(candidate: Candidate, evidence: Evidence, probe: Probe) -> Recording | None:
    """What its lines do with an input; recorded once."""
    target = {"handle": evidence.module.handle}
    return candidate.once(
        "recorded", lambda: record(candidate, target, probe.args, probe.kwargs), probe
    )


def _case(exercise: str, function: Any, probe: Probe) -> Case | None:
    known = Known()
    try:
        with torch.no_grad():
            if isinstance(function, _Formula):
                return Case(probe, known, [watch(known, function, probe.args, probe.kwargs)])
            played = play(known, exercise, function, probe.args, probe.kwargs)
    except Exception:  # this reading does not go through the mathematics
        return None
    return Case(probe, known, returns(played), played)


def formulas(subject: ModuleSubject, evidence: Evidence) -> Iterator[Any]:
    """Right code with the learner's numbers in it, in several readings of their places."""
    module = made_like(subject)
    values = evidence.values
    if _loads(module, values):
        yield module.eval()
    for _, roles in readings_of(subject, evidence, frozenset()).first(_READINGS):
        yield _Formula(subject, roles)


def _loads(module: nn.Module, values: Mapping[str, Tensor]) -> bool:
    own = dict(module.named_parameters())
    if own.keys() != values.keys() or any(own[n].shape != v.shape for n, v in values.items()):
        return False
    with torch.no_grad():
        for name, value in values.items():
            own[name].copy_(value)
    return True


class _Formula:
    """The formula with roles filled in."""

    def __init__(self, subject: ModuleSubject, roles: Any) -> None:
        self._subject = subject
        self._roles = roles

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._subject.run(self._roles, *args, on=STEP_BY_STEP, **kwargs)


def _known(case: Case, mine: Recording) -> int:
    """How many of the learner's values the formula has."""
    values = (value for event in mine.events for value in event.writes.values())
    return sum(isinstance(v, Tensor) and case.known.has(v) is True for v in values)
