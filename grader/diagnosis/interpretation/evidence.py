"""Builds a candidate's module, gives it telling weights and asks it every probe; judges nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeGuard

import torch
from torch import Generator, Tensor

from ...candidate.candidate import Candidate, CandidateModule, Outcome
from ...candidate.failures import CandidateError, Problem
from ..misconceptions.function_subject import Probe
from ..right_modules import right_shapes
from .held import Part, Values
from .module_subject import ModuleSubject, Switches
from .used_parts import parts_held, parts_of, shown

# Of one module, for the small configs that are asked for. The most that anyone wrote with good
# reason: 280 parameters, and 22,000 numbers in them. More would be searched through for minutes.
_MOST_PARAMETERS, _MOST_NUMBERS = 400, 1_000_000
_MASK_VALUES = 2


class TooLarge(CandidateError):
    """A module holds far more than its config asks for."""

    def __init__(self, module: CandidateModule) -> None:
        message = "it holds far more parameters than its config asks for"
        super().__init__(Problem("memory", "TooManyParameters", message, "construct"))
        self.module = module


@dataclass(frozen=True)
class Param:
    """One parameter: its name, its shape without axes of size 1, and whether it does anything."""

    name: str
    shape: tuple[int, ...]
    unused: bool = False  # no result of the module depends on it


@dataclass(frozen=True)
class Answer:
    """What one probe gave; `steady` is false where asking twice gave two answers."""

    outcome: Outcome | Problem
    cotangent: Tensor | None = None
    steady: bool = True
    backward: Problem | None = None  # why gradients could not be had

    @property
    def value(self) -> Tensor | None:
        """The tensor that came back, if one did."""
        found = self.outcome.value if isinstance(self.outcome, Outcome) else None
        return found if isinstance(found, Tensor) else None


@dataclass(frozen=True)
class Interpretation:
    """A reading that fits, and how far it was checked."""

    parts: Any  # what is held of each role
    gradients_agree: bool
    tries: int


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
    focused: Callable[[Tensor, Probe], Tensor]  # what an answer promises
    are_shown: bool = False  # the parts are what inputs meet, and no list of parameters
    readings: dict[Switches, Any] = field(default_factory=dict)
    # By switches and by how many readings were tried.
    found: dict[tuple[Switches, int], Interpretation | None] = field(default_factory=dict)
    loose: tuple[str, ...] | None = None  # what it holds unregistered and works with, once known
    is_well_formed: bool = False  # each answer has the right form, once that is known
    is_short: bool = False  # right answers, but too little of what they need can learn
    written: Evidence | None = None  # of the module as it is written, where it is read otherwise
    alike: dict[int, Any] = field(default_factory=dict, init=False)  # for a single token, by roles
    # What the reference answers, by switches, roles and case.
    expected: dict[tuple[Switches, int, int], Tensor | None] = field(
        default_factory=dict, init=False
    )

    @cached_property
    def cases(self) -> list[tuple[Probe, Tensor]]:
        """What is compared: the single token, then what was answered, few arguments first.

        Of masks, first those for every query: they show more.
        """
        found = sorted(self.asked, key=lambda p: (len(p[0].args), 1 in p[0].args[-1].shape[1:2]))
        found[:0] = [self.single] if self.single else []
        return [(p, self.focused(a.value, p)) for p, a in found if a.value is not None]

    @property
    def outcomes(self) -> list[Outcome | Problem]:
        """What each probe gave."""
        return [answer.outcome for answer in self.answers]

    @property
    def asked(self) -> list[tuple[Probe, Answer]]:
        """Each probe with its answer."""
        return list(zip(self.probes, self.answers, strict=True))

    @cached_property
    def slopes(self) -> dict[str, Tensor] | None:
        """How the first answer moves with each number."""
        for answer in self.answers:
            if answer.cotangent is not None and isinstance(answer.outcome, Outcome):
                known = answer.outcome.parameter_grads or {}
                pairs = ((name, known.get(name), own) for name, own in self.values.items())
                found = {n: torch.zeros_like(own) if s is None else s for n, s, own in pairs}
                agree = all(found[n].shape == own.shape for n, own in self.values.items())
                return found if agree else None
        return None

    @cached_property
    def moving(self) -> int:
        """How many numbers the first answer moves with."""
        return sum(int(slope.count_nonzero()) for slope in (self.slopes or {}).values())

    def run_with(self, values: Values, *args: Any, **how: Any) -> Outcome:
        """Run the module with these numbers in its parameters, and put its own back."""
        module = self.module
        asks = module.writing(values), module.running(*args, **how), module.writing(self.values)
        for answer in (answers := module.several(*asks)):
            if isinstance(answer, CandidateError):
                raise answer
        outcome: Outcome = answers[1]
        return outcome

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
    return asked(subject, module, fresh, generator)


def asked(
    subject: ModuleSubject,
    module: CandidateModule,
    fresh: Values,
    generator: Generator,
) -> Evidence:
    """Give a module telling weights and ask every probe; its parameters are the parts."""
    probes = subject.probes(generator)
    params = _parameters_of(module, fresh)
    values = randomised(params, fresh, generator)
    alone = None if subject.single is None else subject.single(generator)
    every = probes if alone is None else (*probes, alone)
    answers = _answers(subject, module, values, every, generator)
    single = None
    if alone is not None:
        last = answers.pop()
        single = (alone, last) if _is_telling(last) else None
    unused = _unused(answers)
    params = [replace(p, unused=p.name in unused) for p in params]
    held = parts_held({p.name: p.shape for p in params})
    return Evidence(
        *(module, fresh, params, values, probes, answers, single, held, held, subject.focused)
    )


def with_parts_met(candidate: Candidate, evidence: Evidence) -> Evidence:
    """The same, whose parts are what inputs meet, where each of their numbers is a parameter's."""
    calls = calls_shown(evidence.probes, evidence.answers)
    try:
        met = shown(candidate, evidence.module, calls) if calls else None
        parts = None if met is None else parts_of(candidate, met, evidence.values)
    except CandidateError:
        return evidence
    if parts is None:
        return evidence
    return replace(evidence, parts=parts, are_shown=True, readings={}, found={})


def _parameters_of(module: CandidateModule, fresh: Values) -> list[Param]:
    """All different parameters of a module as registered; those it holds loosely come last."""
    found: list[Param] = []
    infos = [
        (p.name, p.shape)
        for p in module.parameters
        if p.alias_of is None and (p.requires_grad or not _is_constant(fresh.get(p.name)))
    ]
    infos += [(p.path, p.shape) for p in module.loose if p.kind == "parameter"]
    for name, shape in infos:
        value = fresh.get(name)
        if value is None or not _is_readable(value):
            continue  # it can play no role
        found.append(Param(name, tuple(size for size in shape if size != 1)))
    return found


def _is_readable(value: Tensor) -> bool:
    """Whether there are real numbers in it with which PyTorch can calculate."""
    return value.numel() > 0 and value.is_floating_point() and value.element_size() > 1


def _is_constant(frozen: Tensor | None) -> bool:
    """Whether a parameter that does not learn is there instead of a buffer: a number, or a mask.

    A table or weight that should learn is a mistake, which is found by its missing gradient.
    """
    if frozen is None or frozen.numel() == 1 or not _is_readable(frozen):
        return True
    return frozen.dim() > 1 and frozen.unique().numel() <= _MASK_VALUES


def randomised(
    params: Sequence[Param], fresh: Values, generator: torch.Generator
) -> dict[str, Tensor]:
    """Values that hide nothing: activations near 1, scores apart, odd scales and shifts."""
    values = {}
    for param in params:
        shape = fresh[param.name].shape
        noise = torch.randn(shape, generator=generator)
        if len(param.shape) < 2:
            values[param.name] = noise * 0.5 + 0.3
        else:
            values[param.name] = noise * (1.3 / min(35, max(param.shape)) ** 0.5)
    return values


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
    return is_float(one.value) and bool(torch.isfinite(one.value).all())


def _unused(answers: list[Answer]) -> set[str]:
    """Parameters that no answer depends on."""
    asked = [
        answer.outcome.parameter_grads or {}
        for answer in answers
        if isinstance(answer.outcome, Outcome) and answer.cotangent is not None
    ]
    names = {name for grads in asked for name in grads}
    return {name for name in names if all(grads.get(name) is None for grads in asked)}


def _answers(
    subject: ModuleSubject,
    module: CandidateModule,
    values: Values,
    probes: Sequence[Probe],
    generator: Generator,
) -> list[Answer]:
    """What a module with these values answers to each probe.

    Each is asked twice, the second time for gradients, where they are wanted; all of it at once.
    """
    shapes = right_shapes(subject, probes)
    cotangents = [
        _cotangent(subject, *each, generator) for each in zip(probes, shapes, strict=True)
    ]
    asks = [module.writing(values)]
    for probe, cotangent in zip(probes, cotangents, strict=True):
        asks.append(module.running(*probe.args, **probe.kwargs))
        if probe.gradient:
            asks.append(module.running(*probe.args, cotangent=cotangent, **probe.kwargs))
    written, *outcomes = module.several(*asks)
    if isinstance(written, CandidateError):
        raise written
    found = []
    for probe, cotangent in zip(probes, cotangents, strict=True):
        first, second = outcomes.pop(0), outcomes.pop(0) if probe.gradient else None
        if second is None or isinstance(first, CandidateError) or not is_float(first.value):
            found.append(Answer(first.problem if isinstance(first, CandidateError) else first))
            continue
        if first.value.shape != cotangent.shape:
            cotangent = _cotangent(subject, probe, first.value.shape, generator)
            (second,) = module.several(
                module.running(*probe.args, cotangent=cotangent, **probe.kwargs)
            )
        if isinstance(second, CandidateError):
            found.append(Answer(first, backward=second.problem))
            continue
        steady = is_float(second.value) and near(second.value, first.value, 1e-6)
        found.append(Answer(second, cotangent, steady))
    return found


def _cotangent(
    subject: ModuleSubject, probe: Probe, shape: Sequence[int], generator: Generator
) -> Tensor:
    """Random weights of an answer's numbers, where the answer is promised."""
    return subject.focused(torch.randn(shape, generator=generator), probe)


def is_float(value: Any) -> TypeGuard[Tensor]:
    """Whether a value is a tensor of floats."""
    return isinstance(value, Tensor) and value.is_floating_point()


def near(got: Tensor, expected: Tensor, tolerance: float) -> bool:
    """Whether two tensors agree in shape, in kind, and up to `tolerance` of the larger numbers."""
    if got.shape != expected.shape or got.is_floating_point() != expected.is_floating_point():
        return False
    if not expected.is_floating_point() or not expected.numel():
        return torch.equal(got, expected)
    apart = float((got - expected).abs().max())
    if math.isfinite(apart):
        return apart <= tolerance or apart <= tolerance * max(1.0, float(expected.abs().max()))
    if not bool(torch.isfinite(expected).all()):
        odd = ~(torch.isfinite(got) & torch.isfinite(expected))
        same = (got == expected) | (got.isnan() & expected.isnan())
        if not bool(same[odd].all()):
            return False
        got, expected = got.masked_fill(odd, 0.0), expected.masked_fill(odd, 0.0)
    scale = max(1.0, float(expected.abs().max()))
    return bool((got - expected).abs().max() <= tolerance * scale)
