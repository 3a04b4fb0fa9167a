"""Builds a candidate's module, gives it telling weights and asks it every probe; judges nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, CandidateError, CandidateModule, Outcome, Problem
from ..misconceptions.function_subject import Probe
from .module_subject import ModuleSubject, Switches
from .parameters import Param, parameters_of, randomised
from .used_parts import Part, Values, parts_held, parts_of, shown

# Of one module, for the small configs that are asked for. The most that anyone wrote with good
# reason: 280 parameters, and 22,000 numbers in them. More would be searched through for minutes.
_MOST_PARAMETERS, _MOST_NUMBERS = 400, 1_000_000


class TooLarge(CandidateError):
    """A module holds far more than its config asks for."""

    def __init__(self, module: CandidateModule) -> None:
        message = "it holds far more parameters than its config asks for"
        super().__init__(Problem("memory", "TooManyParameters", message, "construct"))
        self.module = module


@dataclass(frozen=True)
class Answer:
    """What one probe gave; `steady` is false where asking twice gave two answers."""

    outcome: Outcome | Problem
    cotangent: Tensor | None = None
    steady: bool = True
    backward: Problem | None = None  # why gradients could not be had


@dataclass
class Evidence:
    """What one candidate did: its parameters, the values they were given, and its answers."""

    module: CandidateModule
    fresh: Values
    params: list[Param]
    values: dict[str, Tensor]
    probes: tuple[Probe, ...]
    answers: list[Answer]
    single: tuple[Probe, Answer] | None
    parts: list[Part]
    held: list[Part]  # its parameters, in the order in which they are registered
    are_shown: bool = True  # the parts are what inputs meet, and no list of parameters
    readings: dict[Switches, Any] = field(default_factory=dict)
    found: dict[tuple[Switches, int], Any] = field(default_factory=dict)  # by switches and bound
    loose: tuple[str, ...] | None = None  # what it holds unregistered and works with, once known
    written: Evidence | None = None  # of the module as it is written, where it is read otherwise

    @property
    def outcomes(self) -> list[Outcome | Problem]:
        return [answer.outcome for answer in self.answers]

    @contextmanager
    def holding(self, values: dict[str, Tensor]) -> Iterator[None]:
        """The module holds these numbers for as long as this lasts."""
        try:
            self.module.write(values)
            yield
        finally:
            self.module.write(self.values)

    @property
    def is_steady(self) -> bool:
        """Whether the same question twice has the same answer."""
        return all(answer.steady for answer in self.answers)

    @property
    def problem(self) -> Problem | None:
        """The first exception, where there was one."""
        return next((o for o in self.outcomes if isinstance(o, Problem)), None)


def observe(subject: ModuleSubject, candidate: Candidate, generator: Generator) -> Evidence:
    """Build it, give it telling weights, ask every probe.

    Raises CandidateError where it cannot be built, and TooLarge where it should not be looked at.
    """
    module = candidate.build(*subject.arguments)
    if _is_too_large(module):
        raise TooLarge(module)
    if not module.is_module:
        raise CandidateError(
            Problem("raised", "TypeError", f"{subject.exercise} is no nn.Module", "construct")
        )
    loose = any(info.kind == "parameter" for info in module.loose)
    fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    if any(value.numel() == 0 for value in fresh.values()):  # sized by the first call
        probes = subject.probes(generator)
        module.run(*probes[0].args, **probes[0].kwargs)
        module = CandidateModule(candidate, candidate.request("describe", handle=module.handle))
        fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    return asked(subject, candidate, module, fresh, generator)


def asked(
    subject: ModuleSubject,
    candidate: Candidate,
    module: CandidateModule,
    fresh: Values,
    generator: Generator,
    is_shown: bool = False,
) -> Evidence:
    """Give a module telling weights and ask every probe; `is_shown`: its parameters are parts."""
    probes = subject.probes(generator)
    params = parameters_of(module, fresh)
    values = randomised(params, fresh, generator)
    candidate.request("write", handle=module.handle, values=values)
    answers = [_ask(subject, module, probe, generator) for probe in probes]
    unused = _unused(answers)
    params = [replace(p, unused=p.name in unused) for p in params]
    single = None
    if subject.single is not None:
        probe = subject.single(generator)
        single = (probe, _ask(subject, module, probe, generator))
        single = single if _is_telling(single[1]) else None
    found = None if is_shown else _parts(candidate, module, values, probes, answers)
    held = parts_held({p.name: p.shape for p in params})
    parts = held if found is None else found
    told = Evidence(module, fresh, params, values, probes, answers, single, parts, held)
    told.are_shown = found is not None
    return told


def _parts(
    candidate: Candidate,
    module: CandidateModule,
    values: Values,
    probes: Sequence[Probe],
    answers: Sequence[Answer],
) -> list[Part] | None:
    """What inputs meet, where each of its numbers is a parameter's."""
    calls = calls_shown(probes, answers)
    try:
        return parts_of(candidate, shown(candidate, module, calls), values) if calls else None
    except CandidateError:
        return None


def calls_shown(probes: Sequence[Probe], answers: Sequence[Answer]) -> list[Probe]:
    """Two different calls that have an answer, with all arguments and with few."""
    asked = zip(probes, answers, strict=True)
    fine = [probe for probe, answer in asked if isinstance(answer.outcome, Outcome)]
    fine.sort(key=lambda probe: -len(probe.args))
    return fine[:1] + fine[1:][-1:]


def _is_too_large(module: CandidateModule) -> bool:
    loose = [info.shape for info in module.loose if info.kind == "parameter"]
    shapes = [*(info.shape for info in module.parameters), *loose]
    return len(shapes) > _MOST_PARAMETERS or sum(map(math.prod, shapes)) > _MOST_NUMBERS


def _is_telling(one: Answer) -> bool:
    """Whether there are finite numbers: nan tells nothing apart."""
    outcome = one.outcome
    value = outcome.value if isinstance(outcome, Outcome) else None
    return isinstance(value, Tensor) and is_float(value) and bool(torch.isfinite(value).all())


def _unused(answers: list[Answer]) -> set[str]:
    """Parameters that no answer depends on."""
    asked = [
        answer.outcome.parameter_grads or {}
        for answer in answers
        if isinstance(answer.outcome, Outcome) and answer.cotangent is not None
    ]
    names = {name for grads in asked for name in grads}
    return {name for name in names if all(grads.get(name) is None for grads in asked)}


def _ask(
    subject: ModuleSubject, module: CandidateModule, probe: Probe, generator: Generator
) -> Answer:
    try:
        first = module.run(*probe.args, **probe.kwargs)
    except CandidateError as error:
        return Answer(error.problem)
    if not probe.gradient or not is_float(first.value):
        return Answer(first)
    cotangent = torch.randn(first.value.shape, generator=generator)
    cotangent = subject.focused(cotangent, probe)
    try:
        second = module.run(*probe.args, cotangent=cotangent, **probe.kwargs)
    except CandidateError as error:
        return Answer(first, backward=error.problem)
    steady = is_float(second.value) and near(second.value, first.value, 1e-6)
    return Answer(second, cotangent, steady)


def is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def near(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    if got.shape != expected.shape or got.is_floating_point() != expected.is_floating_point():
        return False
    if not expected.is_floating_point() or not expected.numel():
        return torch.equal(got, expected)
    if not bool(torch.isfinite(expected).all()):
        odd = ~(torch.isfinite(got) & torch.isfinite(expected))
        same = (got == expected) | (got.isnan() & expected.isnan())
        if not bool(same[odd].all()):
            return False
        got, expected = got.masked_fill(odd, 0.0), expected.masked_fill(odd, 0.0)
    scale = max(1.0, float(expected.abs().max()))
    return bool((got - expected).abs().max() <= tolerance * scale)
