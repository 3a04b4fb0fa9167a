"""Looks for a reading of a candidate's parameters under which the reference gives its answers.

One exists: the candidate is right, however it is written. One exists with a switch thrown: that
switch is the mistake. It must not know what a check says about either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Generator, Tensor

from ..candidate import Candidate, CandidateError, CandidateModule, Outcome, Problem
from ..misconceptions.subject import Probe
from .layouts import LAYOUT_SWITCHES, evaluate
from .parameters import Param, Values, parameters_of, randomised
from .subject import ModuleSubject, Switches

READINGS = 200  # bounds are counts, never seconds: the same code gets the same mark on any machine


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
    zero: Values | None
    single: tuple[Probe, Answer] | None
    readings: dict[Switches, Readings] = field(default_factory=dict)

    @property
    def outcomes(self) -> list[Outcome | Problem]:
        return [answer.outcome for answer in self.answers]

    @property
    def problem(self) -> Problem | None:
        """The first exception, where there was one."""
        return next((o for o in self.outcomes if isinstance(o, Problem)), None)


def observe(subject: ModuleSubject, candidate: Candidate, generator: Generator) -> Evidence:
    """Build it, give it telling weights, ask every probe; raises CandidateError if unbuilt."""
    module = candidate.build(*subject.arguments)
    if not module.is_module:
        raise CandidateError(
            Problem("raised", "TypeError", f"{subject.exercise} is no nn.Module", "construct")
        )
    probes = subject.probes(generator)
    loose = any(info.kind == "parameter" for info in module.loose)
    try:
        fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    except CandidateError:  # layers that take their sizes from the first call
        module.run(*probes[0].args, **probes[0].kwargs)
        module = CandidateModule(candidate, candidate.request("describe", handle=module.handle))
        fresh = candidate.request("read", handle=module.handle, loose=loose)["values"]
    params = parameters_of(module, fresh)
    values = randomised(params, fresh, generator)
    candidate.request("write", handle=module.handle, values=values)
    answers = [_ask(subject, module, probe, generator) for probe in probes]
    unused = _unused(answers)
    params = [replace(p, unused=p.name in unused) for p in params]
    zero = single = None
    if subject.single is not None:
        probe = subject.single(generator)
        answer = _ask(subject, module, probe, generator)
        if isinstance(answer.outcome, Outcome) and answer.outcome.parameter_grads:
            single = (probe, answer)
            zero = _gradients(answer.outcome, values)
            top = max((float(g.abs().max()) for g in zero.values()), default=0.0)
            zero = {n: g.where(g.abs() > 1e-6 * top, torch.zeros(())) for n, g in zero.items()}
    return Evidence(module, fresh, params, values, probes, answers, zero, single)


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
    if not probe.gradient or not _is_float(first.value):
        return Answer(first)
    cotangent = torch.randn(first.value.shape, generator=generator)
    cotangent = subject.focused(cotangent, probe)
    try:
        second = module.run(*probe.args, cotangent=cotangent, **probe.kwargs)
    except CandidateError as error:
        return Answer(first, backward=error.problem)
    steady = _is_float(second.value) and _near(second.value, first.value, 1e-6)
    return Answer(second, cotangent, steady)


def _is_float(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _gradients(outcome: Outcome, values: Values) -> dict[str, Tensor]:
    given = outcome.parameter_grads or {}
    found = {}
    for name, value in values.items():
        gradient = given.get(name)
        usable = gradient is not None and gradient.shape == value.shape
        found[name] = gradient if usable and gradient is not None else torch.zeros_like(value)
    return found


def _near(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    if got.shape != expected.shape or got.is_floating_point() != expected.is_floating_point():
        return False
    if not expected.is_floating_point():
        return torch.equal(got, expected)
    if not bool(torch.isfinite(expected).all()):
        same = torch.isnan(got) == torch.isnan(expected)
        if not bool(same.all()):
            return False
        got, expected = got.nan_to_num(), expected.nan_to_num()
    scale = max(1.0, float(expected.abs().max()))
    return bool((got - expected).abs().max() <= tolerance * scale)


class Readings:
    """Readings of one candidate's parameters with roles filled in, made as far as asked for."""

    def __init__(self, layouts: Iterator[Any], values: Values) -> None:
        self._layouts = layouts
        self._values = values
        self._made: list[tuple[Any, Any]] = []

    def first(self, most: int) -> Iterator[tuple[Any, Any]]:
        """Up to `most` pairs of recipes and roles, likely ones first."""
        for index in range(most):
            if index == len(self._made):
                parts = next(self._layouts, None)
                if parts is None:
                    return
                try:
                    roles = evaluate(parts, self._values)
                except RuntimeError:  # sizes that agree in product alone
                    roles = None
                self._made.append((parts, roles))
            if self._made[index][1] is not None:
                yield self._made[index]

    def that_fit(self, subject: ModuleSubject, single: tuple[Probe, Answer]) -> Readings:
        """Those that are right for a single token, where there are any; else all, as they are.

        A single token attends to itself alone: that settles all but queries and keys at once, also
        for code whose scale, mask or softmax is wrong.
        """
        fitting = [
            (parts, roles)
            for parts, roles in self.first(READINGS)
            if _fits_one(subject, roles, single)
        ]
        if not fitting:
            return self
        found = Readings(iter(()), self._values)
        found._made = fitting
        return found


def _fits_one(subject: ModuleSubject, roles: Any, single: tuple[Probe, Answer]) -> bool:
    try:
        return _values_fit(subject, roles, [single], frozenset())
    except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
        return False


@dataclass(frozen=True)
class Interpretation:
    """A reading that fits, and how far it was checked."""

    parts: Any  # recipes
    gradients_agree: bool
    tries: int


def interpret(
    subject: ModuleSubject,
    evidence: Evidence,
    on: Switches = frozenset(),
    most: int = READINGS,
) -> Interpretation | None:
    """The first reading under which the reference, with these switches, gives every answer."""
    pairs = [
        (probe, answer)
        for probe, answer in zip(evidence.probes, evidence.answers, strict=True)
        if isinstance(answer.outcome, Outcome) and isinstance(answer.outcome.value, Tensor)
    ]
    raised = [
        probe
        for probe, answer in zip(evidence.probes, evidence.answers, strict=True)
        if isinstance(answer.outcome, Problem)
    ]
    if not pairs or len(pairs) + len(raised) < len(evidence.probes):
        return None
    key = on & LAYOUT_SWITCHES
    if key not in evidence.readings:
        layouts = subject.layouts(evidence.params, evidence.zero, key)
        readings = Readings(layouts, evidence.values)
        if not key and evidence.single is not None:
            readings = readings.that_fit(subject, evidence.single)
        evidence.readings[key] = readings
    fallback: Interpretation | None = None
    for tries, (parts, roles) in enumerate(evidence.readings[key].first(most), 1):
        try:
            if not _values_fit(subject, roles, pairs, on):
                continue
            if not all(_raises(subject, roles, probe, on) for probe in raised):
                continue
        except (RuntimeError, IndexError, KeyError, ValueError, TypeError):
            continue  # this reading does not even go through the mathematics
        found = Interpretation(parts, _gradients_fit(subject, parts, evidence, pairs, on), tries)
        if found.gradients_agree:
            return found
        fallback = fallback or found
    return fallback


def _values_fit(
    subject: ModuleSubject, roles: Any, pairs: list[tuple[Probe, Answer]], on: Switches
) -> bool:
    with torch.no_grad():
        for probe, answer in pairs:
            assert isinstance(answer.outcome, Outcome)
            expected = subject.run(roles, *probe.args, on=on, **probe.kwargs)
            got = subject.focused(answer.outcome.value, probe)
            if got.shape != expected.shape:
                return False
            if not _near(got, subject.focused(expected, probe), subject.tolerance):
                return False
    return True


def _raises(subject: ModuleSubject, roles: Any, probe: Probe, on: Switches) -> bool:
    """Whether this mistake explains that the candidate raised an error."""
    try:
        with torch.no_grad():
            subject.run(roles, *probe.args, on=on, **probe.kwargs)
    except (RuntimeError, IndexError):
        return True
    return False


def _gradients_fit(
    subject: ModuleSubject,
    parts: Any,
    evidence: Evidence,
    pairs: list[tuple[Probe, Answer]],
    on: Switches,
) -> bool:
    """Whether gradients of inputs and parameters are those of the reference too."""
    for probe, answer in pairs:
        outcome = answer.outcome
        if answer.cotangent is None or not isinstance(outcome, Outcome):
            continue
        leaves = {n: v.detach().clone().requires_grad_() for n, v in evidence.values.items()}
        floats = [
            a.detach().clone().requires_grad_()
            for a in probe.args
            if isinstance(a, Tensor) and a.is_floating_point()
        ]
        given = iter(floats)
        args = [
            next(given) if isinstance(a, Tensor) and a.is_floating_point() else a
            for a in probe.args
        ]
        expected = subject.run(evaluate(parts, leaves), *args, on=on, **probe.kwargs)
        if not expected.requires_grad:
            continue
        wanted = [*floats, *leaves.values()]
        found = torch.autograd.grad(expected, wanted, answer.cotangent, allow_unused=True)
        mine = [*outcome.grads, *((outcome.parameter_grads or {}).get(n) for n in leaves)]
        if len(mine) != len(found):
            return False
        registered = {p.name for p in evidence.module.parameters}
        names = [*(["input"] * len(floats)), *leaves]
        largest = max((float(f.abs().max()) for f in found if f is not None), default=1.0)
        for name, right, got in zip(names, found, mine, strict=True):
            if name != "input" and name not in registered:
                continue
            zero = torch.zeros(()) if right is None else torch.zeros_like(right)
            one, other = (zero if got is None else got), (zero if right is None else right)
            if one.shape != other.shape and one.numel() > 1 and other.numel() > 1:
                return False
            if float((one - other).abs().max()) > 5 * subject.tolerance * max(1.0, largest):
                return False
    return True


def roles_of(interpretation: Interpretation, values: Mapping[str, Tensor]) -> Any:
    """The reference's roles, filled from the candidate's values."""
    return evaluate(interpretation.parts, values)
